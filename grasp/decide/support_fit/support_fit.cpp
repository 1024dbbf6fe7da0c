#include "grasp/decide/support_fit/support_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "geometry/assert.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/support_fit/model_fits.hpp"
#include "sim/support/static_loads.hpp"

namespace graspmap {
namespace {

constexpr std::array<const char*, 6> kSlidingNames{
    "points-by-statics", "ellipsoid-diagonal", "points", "ellipsoid", "fourth-order", "grid"};
constexpr int kGridPoints = 9;          ///< along the grid's diameter
constexpr int kMeanResamples = 2000;    ///< for intervals of mean errors, which cost little
constexpr std::uint32_t kFoldDraw = 0;  ///< of the random numbers: what they are for
constexpr std::uint32_t kFitDraw = 1;
constexpr std::uint32_t kMeanDraw = 2;

using Points = std::vector<Eigen::Vector2d>;

/// What all fits share.
struct FitSetup {
  double length_mm = 1.0;
  Points given;  ///< about the centre of mass, divided by the length
  Points grid;
  std::vector<double> static_shares;
};

double root_mean_length_mm(const std::vector<MeasuredPush>& rows) {
  double moments = 0.0;
  double forces = 0.0;
  for (const MeasuredPush& row : rows) {
    moments += row.wrench[2] * row.wrench[2];
    forces += row.wrench.head<2>().squaredNorm();
  }
  return std::sqrt(moments / forces);
}

Points grid_points(double radius) {
  Points points;
  const double step = 2.0 * radius / (kGridPoints - 1);
  for (int i = 0; i < kGridPoints; ++i) {
    for (int j = 0; j < kGridPoints; ++j) {
      const Vec2 point(-radius + i * step, -radius + j * step);
      if (point.norm() <= radius * 1.001) points.push_back(point);
    }
  }
  return points;
}

FitSetup make_setup(const PushFile& pushes, const SupportFitOptions& options) {
  double work = 0.0;
  for (const MeasuredPush& row : pushes.rows) work += row.wrench.dot(row.twist) / row.twist.norm();
  if (!(work > 0.0)) {
    throw config_error({pushes.file}, "",
                       "the forces do no work on the part, all in all; must be the pusher's on the "
                       "part, with the twist's signs");
  }
  FitSetup setup;
  setup.length_mm = options.length_mm > 0.0 ? options.length_mm : root_mean_length_mm(pushes.rows);
  if (!(setup.length_mm > 0.0)) {
    throw config_error(
        {pushes.file}, "",
        "no row has a moment about the centre of mass; give pushes that turn the part");
  }
  for (const Vec2& point : options.points_mm) {
    setup.given.push_back((point - pushes.center_mm) / setup.length_mm);
  }
  const double radius_mm =
      options.grid_radius_mm > 0.0 ? options.grid_radius_mm : 2.0 * setup.length_mm;
  setup.grid = grid_points(radius_mm / setup.length_mm);
  if (setup.given.empty()) return setup;
  const auto shares = static_loads(setup.given, Vec2::Zero());
  if (!shares) {
    throw ConfigError(fmt::format(
        "--points: the centre of mass ({}, {}) lies outside of their convex hull, where "
        "the part would tip over; give the points that it stands on, and --center",
        pushes.center_mm.x(), pushes.center_mm.y()));
  }
  setup.static_shares = *shares;
  return setup;
}

std::shared_ptr<const SlidingModel> fit_kind(SlidingKind kind,
                                             const std::vector<MeasuredPush>& rows,
                                             const FitSetup& setup) {
  switch (kind) {
    case SlidingKind::kDiagonalEllipsoid:
      return fit_ellipsoid(rows, true);
    case SlidingKind::kEllipsoid:
      return fit_ellipsoid(rows, false);
    case SlidingKind::kFourthOrder:
      return fit_fourth_order(rows);
    case SlidingKind::kGrid:
      return fit_points(rows, setup.grid, {});
    case SlidingKind::kPoints:
      return fit_points(rows, setup.given, {});
    case SlidingKind::kPointsByStatics:
      return fit_points(rows, setup.given, setup.static_shares);
  }
  return nullptr;
}

/// The mean size of a wrench on the limit surface that is a force without a moment.
double sliding_force_n(const SlidingModel& model) {
  if (const auto* points = dynamic_cast<const PointsSliding*>(&model)) {
    return std::accumulate(points->forces().begin(), points->forces().end(), 0.0);
  }
  constexpr int kDirections = 72;
  double sum = 0.0;
  for (int k = 0; k < kDirections; ++k) {
    const double angle = std::numbers::pi * k / kDirections;
    sum += model.radius({std::cos(angle), std::sin(angle), 0.0});
  }
  return sum / kDirections;
}

/// The parameters of a model except the force, as a configuration has them.
std::vector<double> parameters_of(const SlidingModel& model, double force_n) {
  std::vector<double> values;
  if (const auto* points = dynamic_cast<const PointsSliding*>(&model)) {
    for (const double force : points->forces()) values.push_back(force / force_n);
  } else if (const auto* ellipsoid = dynamic_cast<const EllipsoidSliding*>(&model)) {
    const Eigen::Matrix3d A = ellipsoid->matrix() * (force_n * force_n);
    values = {A(0, 0), A(1, 1), A(2, 2), A(0, 1), A(0, 2), A(1, 2)};
  } else {
    const auto& form = dynamic_cast<const FourthOrderSliding&>(model);
    for (const double c : form.coefficients()) values.push_back(c * std::pow(force_n, 4));
  }
  return values;
}

/// The names of `count` parameters of a kind, in the order of parameters_of().
std::vector<std::string> parameter_names(SlidingKind kind, std::size_t count) {
  std::vector<std::string> names;
  switch (kind) {
    case SlidingKind::kDiagonalEllipsoid:
    case SlidingKind::kEllipsoid:
      return {"fx_fx", "fy_fy", "m_m", "fx_fy", "fx_m", "fy_m"};
    case SlidingKind::kFourthOrder:
      for (const auto& [a, b, c] : kFourthOrderPowers) {
        names.push_back(fmt::format("fx{}_fy{}_m{}", a, b, c));
      }
      return names;
    default:
      for (std::size_t k = 1; k <= count; ++k) names.push_back(fmt::format("load_share_{}", k));
      return names;
  }
}

/// The model as a configuration has it; of a grid with too many loads the largest ones, and
/// `points_left_out` tells the number of the others.
SupportModel support_of(FittedSliding& fitted, const FitSetup& setup, const Vec2& center_mm,
                        const Points& given_mm) {
  if (const auto* form = dynamic_cast<const FourthOrderSliding*>(fitted.model.get())) {
    return surface_support(*form, setup.length_mm, fitted.force_n);
  }
  if (const auto* ellipsoid = dynamic_cast<const EllipsoidSliding*>(fitted.model.get())) {
    return surface_support(*ellipsoid, setup.length_mm, fitted.force_n);
  }
  const auto& forces = dynamic_cast<const PointsSliding&>(*fitted.model).forces();
  const bool is_grid = fitted.kind == SlidingKind::kGrid;
  const Points& points = is_grid ? setup.grid : setup.given;
  PointsSupport support;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (is_grid && forces[k] <= 1e-6 * fitted.force_n) continue;
    const Vec2 place = is_grid ? Vec2(points[k] * setup.length_mm + center_mm) : given_mm[k];
    support.points.push_back({place, forces[k] / fitted.force_n, 1.0});
  }
  if (support.points.size() > std::size_t{kMaxSupportPoints}) {
    std::sort(support.points.begin(), support.points.end(),
              [](const auto& a, const auto& b) { return a.load_share > b.load_share; });
    fitted.points_left_out = static_cast<int>(support.points.size()) - kMaxSupportPoints;
    support.points.resize(kMaxSupportPoints);
    double sum = 0.0;
    for (const SupportPoint& point : support.points) sum += point.load_share;
    for (SupportPoint& point : support.points) point.load_share /= sum;
  }
  return support;
}

/// The groups that a bootstrap draws: as many as there are, with replacement.
std::vector<std::size_t> drawn_groups(std::size_t groups, std::uint64_t seed, std::uint32_t draw,
                                      int resample) {
  std::vector<std::size_t> drawn(groups);
  for (std::size_t k = 0; k < groups; ++k) {
    const std::uint64_t index = static_cast<std::uint64_t>(resample) * groups + k;
    drawn[k] =
        static_cast<std::size_t>(uniform_open(seed, index, draw) * static_cast<double>(groups));
  }
  return drawn;
}

Interval percentiles(const std::vector<double>& values, double confidence) {
  return {sample_quantile(values, 0.5 * (1.0 - confidence)),
          sample_quantile(values, 0.5 * (1.0 + confidence))};
}

/// A fit of pushes under way.
class Fitting {
 public:
  Fitting(const PushFile& pushes, const SupportFitOptions& options)
      : pushes_(pushes),
        options_(options),
        setup_(make_setup(pushes, options)),
        rows_(scaled_rows(pushes.rows, setup_.length_mm)),
        rows_of_group_(pushes.groups) {
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_of_group_[rows_[i].group].push_back(i);
  }

  SupportFit run() {
    SupportFit fit;
    fit.pushes = pushes_;
    fit.pushes.rows = rows_;
    fit.length_mm = setup_.length_mm;
    fit.options = options_;
    fit.against_force = static_cast<std::size_t>(
        std::count_if(rows_.begin(), rows_.end(),
                      [](const MeasuredPush& row) { return row.wrench.dot(row.twist) <= 0.0; }));
    std::vector<SlidingKind> kinds{SlidingKind::kDiagonalEllipsoid, SlidingKind::kEllipsoid,
                                   SlidingKind::kFourthOrder, SlidingKind::kGrid};
    if (!setup_.given.empty()) {
      kinds.insert(kinds.end(), {SlidingKind::kPoints, SlidingKind::kPointsByStatics});
    }
    total_ = static_cast<double>(kinds.size()) * (options_.folds + options_.resamples);
    for (const SlidingKind kind : kinds) fit.models.push_back(fit_one(kind));
    std::stable_sort(fit.models.begin(), fit.models.end(),
                     [](const auto& a, const auto& b) { return a.twist.mean < b.twist.mean; });
    for (FittedSliding& model : fit.models) compare(fit.models.front(), model);
    return fit;
  }

 private:
  FittedSliding fit_one(SlidingKind kind) {
    FittedSliding fitted;
    fitted.kind = kind;
    fitted.model = fit_kind(kind, rows_, setup_);
    fitted.force_n = sliding_force_n(*fitted.model);
    fitted.support = support_of(fitted, setup_, pushes_.center_mm, options_.points_mm);
    hold_out(fitted);
    resample(fitted);
    return fitted;
  }

  void step() {
    done_ += 1.0;
    if (options_.progress) options_.progress(done_ / total_);
  }

  /// Deals the pushes out in a random order, in turn.
  [[nodiscard]] std::vector<int> folds() const {
    std::vector<std::size_t> order(pushes_.groups);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return uniform_open(options_.seed, a, kFoldDraw) < uniform_open(options_.seed, b, kFoldDraw);
    });
    std::vector<int> fold(pushes_.groups);
    for (std::size_t k = 0; k < order.size(); ++k) {
      fold[order[k]] = static_cast<int>(k) % options_.folds;
    }
    return fold;
  }

  void hold_out(FittedSliding& fitted) {
    const std::vector<int> fold_of = folds();
    fitted.twist.of_row.resize(rows_.size());
    fitted.wrench.of_row.resize(rows_.size());
    for (int fold = 0; fold < options_.folds; ++fold, step()) {
      std::vector<MeasuredPush> others;
      for (const MeasuredPush& row : rows_) {
        if (fold_of[row.group] != fold) others.push_back(row);
      }
      const auto model = fit_kind(fitted.kind, others, setup_);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (fold_of[rows_[i].group] != fold) continue;
        fitted.twist.of_row[i] = angle_deg(model->twist_of(rows_[i].wrench), rows_[i].twist);
        fitted.wrench.of_row[i] = angle_deg(model->wrench_of(rows_[i].twist), rows_[i].wrench);
      }
    }
    sum_up(fitted.twist);
    sum_up(fitted.wrench);
  }

  /// Bootstrap intervals of the parameters.
  void resample(FittedSliding& fitted) {
    const std::vector<double> values = parameters_of(*fitted.model, fitted.force_n);
    std::vector<std::vector<double>> drawn(values.size());
    std::vector<double>& forces = fitted.force_draws;
    for (int k = 0; k < options_.resamples; ++k, step()) {
      std::vector<MeasuredPush> rows;
      for (const std::size_t group : drawn_groups(pushes_.groups, options_.seed, kFitDraw, k)) {
        for (const std::size_t i : rows_of_group_[group]) rows.push_back(rows_[i]);
      }
      const auto model = fit_kind(fitted.kind, rows, setup_);
      forces.push_back(sliding_force_n(*model));
      const std::vector<double> parameters = parameters_of(*model, forces.back());
      for (std::size_t j = 0; j < values.size(); ++j) drawn[j].push_back(parameters[j]);
    }
    fitted.force_interval = percentiles(forces, options_.confidence);
    const std::vector<std::string> names = parameter_names(fitted.kind, values.size());
    for (std::size_t j = 0; j < values.size(); ++j) {
      fitted.parameters.push_back(
          {names[j], values[j], percentiles(drawn[j], options_.confidence), std::move(drawn[j])});
    }
  }

  [[nodiscard]] Interval mean_interval(const std::vector<double>& of_row) const {
    std::vector<double> means;
    for (int k = 0; k < kMeanResamples; ++k) {
      double sum = 0.0;
      std::size_t count = 0;
      for (const std::size_t group : drawn_groups(pushes_.groups, options_.seed, kMeanDraw, k)) {
        for (const std::size_t i : rows_of_group_[group]) sum += of_row[i];
        count += rows_of_group_[group].size();
      }
      means.push_back(sum / static_cast<double>(count));
    }
    return percentiles(means, options_.confidence);
  }

  void sum_up(AngleErrors& errors) const {
    errors.mean = std::accumulate(errors.of_row.begin(), errors.of_row.end(), 0.0) /
                  static_cast<double>(errors.of_row.size());
    errors.interval = mean_interval(errors.of_row);
  }

  void compare(const FittedSliding& best, FittedSliding& other) const {
    std::vector<double> behind(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      behind[i] = other.twist.of_row[i] - best.twist.of_row[i];
    }
    other.behind = other.twist.mean - best.twist.mean;
    other.behind_interval = mean_interval(behind);
  }

  const PushFile& pushes_;
  const SupportFitOptions& options_;
  FitSetup setup_;
  std::vector<MeasuredPush> rows_;  ///< scaled
  std::vector<std::vector<std::size_t>> rows_of_group_;
  double total_ = 1.0;
  double done_ = 0.0;
};

}  // namespace

const char* name(SlidingKind kind) { return kSlidingNames[static_cast<std::size_t>(kind)]; }

PartEllipsoidSupport surface_support(const EllipsoidSliding& surface, double length_mm,
                                     double force_n) {
  return {length_mm, surface.matrix() * (force_n * force_n)};
}

FourthOrderSupport surface_support(const FourthOrderSliding& surface, double length_mm,
                                   double force_n) {
  FourthOrderSupport support{length_mm, surface.coefficients()};
  for (double& c : support.coefficients) c *= std::pow(force_n, 4);
  return support;
}

SupportFit fit_support(const PushFile& pushes, const SupportFitOptions& options) {
  GRASPMAP_CHECK(!pushes.rows.empty() && options.folds > 1 && options.resamples > 0);
  for (const MeasuredPush& row : pushes.rows) GRASPMAP_CHECK(row.group < pushes.groups);
  return Fitting(pushes, options).run();
}

}  // namespace graspmap
