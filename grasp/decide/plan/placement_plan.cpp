#include "grasp/decide/plan/placement_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/decide/plan/best_placement.hpp"
#include "grasp/decide/tolerances/widened_trials.hpp"

namespace graspmap {
namespace {

constexpr double kScanFactor = 0.85;
constexpr double kStepsPerCell = 100.0;
constexpr double kSmallestInCells = 0.25;

/// The mass of an error in the map when its centre is the nominal placement.
double central_mass(const SuccessField& field, const PlacementError& error) {
  double mass = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const Axis& axis = field.axes()[k];
    if (axis.is_fixed() || axis.period > 0 || error[k].is_fixed()) continue;
    const double half = (axis.max - axis.min) / 2;
    mass *= error_mass(error[k], -half, half);
  }
  return mass;
}

/// The best placement under an error, and whether it reaches what is required.
struct Attempt {
  std::optional<PlannedPlacement> placement;
  bool reaches = false;
  bool would_reach_on_a_larger_map = false;
};

/// The number of steps at which even a map of nothing but success would not do.
long hopeless_steps(const SuccessField& field, double required, const ErrorOfSize& error,
                    double step) {
  long steps = static_cast<long>(kStepsPerCell);
  while (central_mass(field, error(static_cast<double>(steps) * step)) >= required) steps *= 2;
  long low = steps / 2;
  while (steps - low > 1) {
    const long middle = (low + steps) / 2;
    const double mass = central_mass(field, error(static_cast<double>(middle) * step));
    (mass >= required ? low : steps) = middle;
  }
  return steps;
}

/// Which cells of a slice are good, as sums over all cells before a corner.
class GoodCells {
 public:
  GoodCells(const SuccessField& field, int slice, double required, Evidence evidence, double z)
      : width_(field.axes()[0].cells), height_(field.axes()[1].cells) {
    sums_.resize(static_cast<std::size_t>(width_ + 1) * static_cast<std::size_t>(height_ + 1));
    for (int j = 0; j < height_; ++j) {
      for (int i = 0; i < width_; ++i) {
        const CellCounts& cell = field.counts(field.cell(i, j, slice));
        const double value = evidence == Evidence::kEstimate ? cell.success_probability()
                                                             : cell.success_interval(z).low;
        const bool good = cell.valid_trials() > 0 && value >= required;
        sum(i + 1, j + 1) = sum(i, j + 1) + sum(i + 1, j) - sum(i, j) + (good ? 1 : 0);
      }
    }
  }

  /// The lower left cells of all blocks of n x m good cells.
  [[nodiscard]] std::vector<std::array<int, 2>> blocks(int n, int m) const {
    std::vector<std::array<int, 2>> found;
    for (int j = 0; j + m <= height_; ++j) {
      for (int i = 0; i + n <= width_; ++i) {
        const long good = sum(i + n, j + m) - sum(i, j + m) - sum(i + n, j) + sum(i, j);
        if (good == static_cast<long>(n) * m) found.push_back({i, j});
      }
    }
    return found;
  }

 private:
  long& sum(int i, int j) { return sums_[static_cast<std::size_t>(j * (width_ + 1) + i)]; }
  [[nodiscard]] long sum(int i, int j) const {
    return sums_[static_cast<std::size_t>(j * (width_ + 1) + i)];
  }

  int width_;
  int height_;
  std::vector<long> sums_;
};

int cells_across(const Axis& axis, double side) {
  return static_cast<int>(std::ceil(side / axis.cell_size() - 1e-9));
}

struct SquareBlocks {
  double side = 0.0;
  std::vector<std::array<int, 2>> blocks;
};

/// The largest squares of a slice: bisection, for a smaller square fits wherever a larger one does.
SquareBlocks largest_squares(const SuccessField& field, const GoodCells& good) {
  SquareBlocks best;
  std::vector<double> sides;  // whole numbers of cells, ascending
  for (std::size_t k = 0; k < 2; ++k) {
    const double size = field.axes()[k].cell_size();
    for (int n = 1; n <= field.axes()[k].cells; ++n) sides.push_back(n * size);
  }
  std::sort(sides.begin(), sides.end());
  std::size_t low = 0;
  std::size_t high = sides.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    std::vector<std::array<int, 2>> blocks = good.blocks(
        cells_across(field.axes()[0], sides[middle]), cells_across(field.axes()[1], sides[middle]));
    if (blocks.empty()) {
      high = middle;
    } else {
      best = {sides[middle], std::move(blocks)};
      low = middle + 1;
    }
  }
  return best;
}

/// The block closest to the mean of all, then of smaller |x|, then the first: its centre.
std::array<double, 2> central_block(const SuccessField& field, const SquareBlocks& squares) {
  const std::array<int, 2> cells{cells_across(field.axes()[0], squares.side),
                                 cells_across(field.axes()[1], squares.side)};
  const auto center = [&](const std::array<int, 2>& block, std::size_t k) {
    const Axis& axis = field.axes()[k];
    return axis.min + (block[k] + cells[k] / 2.0) * axis.cell_size();
  };
  std::array<double, 2> mean{};
  for (const auto& block : squares.blocks) {
    for (std::size_t k = 0; k < 2; ++k) {
      mean[k] += center(block, k) / static_cast<double>(squares.blocks.size());
    }
  }
  const auto rank = [&](const std::array<int, 2>& block) {
    const double dx = center(block, 0) - mean[0];
    const double dy = center(block, 1) - mean[1];
    return std::pair(std::round((dx * dx + dy * dy) * 1e9), std::abs(center(block, 0)));
  };
  const auto best =
      *std::min_element(squares.blocks.begin(), squares.blocks.end(),
                        [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return {center(best, 0), center(best, 1)};
}

}  // namespace

ErrorLimit largest_error(const SuccessField& field, double required, Evidence evidence,
                         const ErrorOfSize& error, double z) {
  GRASPMAP_CHECK(required > 0 && required <= 1);
  const double step =
      std::min(field.axes()[0].cell_size(), field.axes()[1].cell_size()) / kStepsPerCell;
  const auto smallest = static_cast<long>(kSmallestInCells * kStepsPerCell);
  const auto attempt_at = [&](long steps) {
    Attempt attempt{best_placement(field, error(static_cast<double>(steps) * step), z)};
    if (!attempt.placement) return attempt;
    const ExpectedSuccess& success = attempt.placement->success;
    const double value =
        evidence == Evidence::kEstimate ? success.probability : success.interval.low;
    attempt.reaches = value >= required;
    attempt.would_reach_on_a_larger_map = value + success.outside_share >= required;
    return attempt;
  };
  const auto limit = [&](long steps, const Attempt& reached, const Attempt& failing) {
    const double size = static_cast<double>(steps) * step;
    return ErrorLimit{true, failing.would_reach_on_a_larger_map, size, error(size),
                      *reached.placement};
  };

  // From large errors down, for success need not fall with every step: the limit is where it first
  // reaches what is required, and the bisection stays between that size and the one above.
  long beyond = hopeless_steps(field, required, error, step);
  Attempt failing = attempt_at(beyond);
  Attempt reaching;
  long low = beyond;
  while (!reaching.reaches && low > smallest) {
    low = std::max(static_cast<long>(kScanFactor * static_cast<double>(low)), smallest);
    Attempt attempt = attempt_at(low);
    (attempt.reaches ? reaching : failing) = std::move(attempt);
    if (!reaching.reaches) beyond = low;
  }
  if (!reaching.reaches) {
    const Attempt exact = attempt_at(0);
    return exact.reaches ? limit(0, exact, failing) : ErrorLimit{};
  }
  while (beyond - low > 1) {
    const long middle = (low + beyond) / 2;
    Attempt attempt = attempt_at(middle);
    (attempt.reaches ? low : beyond) = middle;
    (attempt.reaches ? reaching : failing) = std::move(attempt);
  }
  return limit(low, reaching, failing);
}

GuaranteedSquare largest_guaranteed_square(const SuccessField& field, double required,
                                           Evidence evidence, double z) {
  const Axis& angle = field.axes()[2];
  double side = 0;
  std::vector<std::pair<int, SquareBlocks>> largest;
  for (int slice = 0; slice < angle.cells; ++slice) {
    SquareBlocks squares = largest_squares(field, GoodCells(field, slice, required, evidence, z));
    if (squares.side <= 0 || squares.side < side) continue;
    if (squares.side > side) largest.clear();
    side = squares.side;
    largest.emplace_back(slice, std::move(squares));
  }
  if (largest.empty()) return {};
  const auto& [slice, squares] = largest[largest.size() / 2];
  const std::array<double, 2> center = central_block(field, squares);
  const double theta = angle.is_fixed() ? angle.min : angle.cell_center(slice);
  const bool across = side > field.axes()[0].max - field.axes()[0].min - 1e-9 ||
                      side > field.axes()[1].max - field.axes()[1].min - 1e-9;
  return {true, side / 2, center[0], center[1], theta, across};
}

namespace {

ErrorMixture error_of(const PlanQuestion& request, Grain grain) {
  ErrorMixture mixture = make_mixture(request.model(), grain);
  mixture.draw_weights = request.draw_weights;
  return mixture;
}

/// The best of many looks better than it is: moves the low end of its interval down by what the
/// estimate owes to the choice, and widens it to what it is at the lower estimate. `searched` is
/// the estimate that was chosen, `unselected` that of other trials than chose it.
void lower_by_choice(const ExpectedSuccess& searched, double unselected, ExpectedSuccess& success) {
  const double owed = searched.probability - unselected;
  if (!(owed > 0) || !(searched.effective_trials > 0)) return;
  const auto variance = [&](double p) { return p * (1 - p) + 1 / searched.effective_trials; };
  const double wider = std::sqrt(variance(unselected) / variance(searched.probability));
  const double half = success.probability - success.interval.low;
  success.interval.low = std::max(success.probability - owed - half * std::max(wider, 1.0), 0.0);
}

/// An error, and a coarser one of the same mean and spread where it has so many components that a
/// search would take seconds: with that one placements are found, with the error they are judged.
struct SearchedError {
  ErrorMixture fine;
  ErrorMixture coarse;

  [[nodiscard]] SearchedError widened_to(const PlacementVector& least_sigma) const {
    return {widened(fine, least_sigma), widened(coarse, least_sigma)};
  }
  void judge(const SuccessField& field, double z, PlannedPlacement& p) const {
    if (fine.components.size() == coarse.components.size()) return;
    p.success = expected_success(field, fine, p.at, z);
  }
  [[nodiscard]] std::optional<PlannedPlacement> best(const SuccessField& field, double z) const {
    std::optional<PlannedPlacement> placement = best_placement(field, coarse, z);
    if (!placement) return placement;
    const ExpectedSuccess searched = placement->success;
    placement->unselected = unselected_success(field, coarse);
    judge(field, z, *placement);
    if (placement->unselected) {
      lower_by_choice(searched, placement->unselected->probability, placement->success);
    }
    return placement;
  }
};

/// The error that placements are judged with: the one that is asked for; or, where that is finer
/// than the trials can show, and half a cell (standard deviation) in each coordinate would not be
/// too much, that, or less where more of it would lie beyond the map.
struct JudgedError {
  SearchedError error;
  std::optional<PlannedPlacement> best;  ///< the best placement under it
};

/// So much more of a wider error may lie beyond the map.
constexpr double kMoreBeyond = 0.001;

double share_on_map(const SuccessField& field, const ErrorMixture& error,
                    const PlacementVector& at) {
  double share = 0;
  for (const CellMass& cell : cell_masses(field, error, at)) share += cell.mass;
  return share;
}

JudgedError judged_error(const SuccessField& field, const PlanQuestion& request, double z) {
  SearchedError error{error_of(request, Grain::kFine), error_of(request, Grain::kCoarse)};
  std::optional<PlannedPlacement> best = error.best(field, z);
  if (answer_of(best, request.reliable()) != Answer::kUnknown) return {error, best};
  for (const double cells : {0.5, 0.2, 0.1, 0.05}) {
    PlacementVector least_sigma{};
    for (std::size_t k = 0; k < 3; ++k) least_sigma[k] = cells * field.axes()[k].cell_size();
    SearchedError wider = error.widened_to(least_sigma);
    if (wider.fine.overall == error.fine.overall) break;
    std::optional<PlannedPlacement> best_of_wider = wider.best(field, z);
    if (answer_of(best_of_wider, request.reliable()) == Answer::kNo) break;
    const PlacementVector& at = best_of_wider->at;
    const double beyond =
        share_on_map(field, error.coarse, at) - share_on_map(field, wider.coarse, at);
    if (beyond > kMoreBeyond) continue;
    PlacementVector& sigma = best_of_wider->judged_with.emplace();
    for (std::size_t k = 0; k < 3; ++k) sigma[k] = std::sqrt(wider.fine.overall[k].variance());
    return {std::move(wider), std::move(best_of_wider)};
  }
  return {std::move(error), std::move(best)};
}

/// Adds what is unknown but constant to the interval of a placement.
void add_unknowns(PlannedPlacement& p, const SuccessField& field, const ErrorMixture& error,
                  const PlanQuestion& request) {
  if (error.worlds < 2) return;
  const std::vector<double> successes = success_in_worlds(field, error, p.at);
  ConstantUnknowns unknowns;
  unknowns.trials = p.success.interval;
  unknowns.worlds = interval_of_worlds(successes, request.confidence);
  unknowns.random_part_success =
      expected_success_probability(field, make_mixture(request.model().random_part()), p.at);
  p.success.interval = with_worlds(p.success, unknowns.worlds);
  p.unknowns = unknowns;
}

ErrorPlan plan_for_error(const SuccessField& field, const PlanQuestion& request, double z) {
  ErrorPlan plan;
  const JudgedError judged = judged_error(field, request, z);
  plan.error = judged.error.coarse;
  if (!judged.best) return plan;
  plan.placements = best_placements(field, plan.error, *judged.best, z);
  for (PlannedPlacement& p : plan.placements) {
    p.judged_with = judged.best->judged_with;
    p.as_good = as_good_box(field, plan.error, p);
    if (&p != plan.placements.data()) judged.error.judge(field, z, p);
    add_unknowns(p, field, judged.error.fine, request);
  }
  return plan;
}

/// The largest error, with the placements that are as good under it.
ErrorLimit limit_of(const SuccessField& field, double required, double z, Evidence evidence,
                    const ErrorOfSize& error) {
  ErrorLimit limit = largest_error(field, required, evidence, error, z);
  if (limit.reached) limit.placement.as_good = as_good_box(field, limit.error, limit.placement);
  return limit;
}

std::array<double, 2> proportions(const PlanQuestion& request) {
  const auto [x, y, theta] = request.sigma();
  const double larger = std::max(x, y);
  if (larger == 0) return {1.0, 1.0};
  return {x / larger, y / larger};
}

ByEvidence<ErrorLimit> limits(const SuccessField& field, double required, double z,
                              const ErrorOfSize& error) {
  return {limit_of(field, required, z, Evidence::kEstimate, error),
          limit_of(field, required, z, Evidence::kConfidence, error)};
}

RequiredPlan plan_for_probability(const SuccessField& field, const PlanQuestion& request,
                                  double z) {
  const Distribution angle = normal_error(request.sigma()[2]);
  RequiredPlan plan;
  plan.probability = *request.required_probability;
  plan.proportions = proportions(request);
  plan.ellipse = limits(field, plan.probability, z, [&](double size) {
    return PlacementError{normal_error(size * plan.proportions[0]),
                          normal_error(size * plan.proportions[1]), angle};
  });
  plan.square = limits(field, plan.probability, z, [&](double size) {
    return PlacementError{uniform_error(size), uniform_error(size), angle};
  });
  plan.guaranteed = {largest_guaranteed_square(field, plan.probability, Evidence::kEstimate, z),
                     largest_guaranteed_square(field, plan.probability, Evidence::kConfidence, z)};
  plan.exact = best_placement(field, {}, z);
  return plan;
}

}  // namespace

ErrorModel PlanQuestion::model() const {
  ErrorModel model = error ? error_model(*error) : ErrorModel{};
  model.draws = draws;
  return model;
}

PlacementVector PlanQuestion::sigma() const {
  return error ? error->standard_deviations() : PlacementVector{};
}

std::optional<PlannedPlacement> first_placement(const SuccessField& field,
                                                const PlanQuestion& request) {
  JudgedError judged = judged_error(field, request, two_sided_z(request.confidence));
  if (judged.best) add_unknowns(*judged.best, field, judged.error.fine, request);
  return std::move(judged.best);
}

Answer answer_of(const std::optional<PlannedPlacement>& best, double reliable) {
  if (!best || best->success.interval.high < reliable) return Answer::kNo;
  return best->success.interval.low >= reliable ? Answer::kYes : Answer::kUnknown;
}

std::optional<AimAndRobot> planned_aim(const PlacementPlan& plan, const SuccessField& field) {
  const ErrorModel model = plan.request.model();
  if (!model.is_simple()) return std::nullopt;
  const PlacementError error = make_mixture(model).overall;
  const auto aim = [&](const PlacementVector& at) {
    return AimAndRobot{at, error, !plan.has_angle()};
  };
  if (plan.for_error) {
    if (plan.for_error->placements.empty()) return std::nullopt;
    return aim(plan.for_error->placements.front().at);
  }
  if (plan.for_probability && plan.for_probability->ellipse.estimate.reached) {
    return aim(plan.for_probability->ellipse.estimate.placement.at);
  }
  const auto best = best_placement(field, {}, two_sided_z(plan.request.confidence));
  return best ? std::optional(aim(best->at)) : std::nullopt;
}

PlacementPlan make_plan(const SuccessField& field, const PlanQuestion& request) {
  const double z = two_sided_z(request.confidence);
  PlacementPlan plan;
  plan.axes = field.axes();
  plan.trials = field.trials();
  plan.request = request;
  const bool has_error = request.error && (request.error->has_position() || !request.draws.empty());
  if (has_error) plan.for_error = plan_for_error(field, request, z);
  if (request.required_probability) plan.for_probability = plan_for_probability(field, request, z);
  return plan;
}

}  // namespace graspmap
