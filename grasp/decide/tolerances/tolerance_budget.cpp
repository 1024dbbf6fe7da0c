#include "grasp/decide/tolerances/tolerance_budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/assert.hpp"
#include "grasp/decide/tolerances/grades.hpp"

namespace graspmap {
namespace {

constexpr int kMostChecks = 3;
constexpr double kLadderRatio = 2.0;
constexpr double kFinestRatio = 1.05;
constexpr int kMostMoves = 4;  ///< of the window of widths between two refinements
constexpr int kMostBisections = 40;
constexpr std::uint64_t kSamplesOfSeed = 16;

/// Shares of the work, roughly.
constexpr double kSearchShare = 0.6;
constexpr double kEqualShare = 0.7;

using Ladders = std::vector<std::vector<OfferedGrade>>;

/// The widths of a search, with their costs.
struct FoundWidths {
  bool found = false;
  bool proven = false;
  std::vector<OfferedGrade> grades;
  double cost = 0.0;
};

class BudgetSearch {
 public:
  BudgetSearch(const std::vector<ToleranceInput>& inputs, const CostFile& costs,
               const BudgetQuestion& question, const SampleOfSeed& sample_of,
               const std::function<void(double)>& show)
      : inputs_(inputs),
        costs_(costs),
        question_(question),
        sample_of_(sample_of),
        show_(show),
        sample_(sample_of(kSamplesOfSeed * question.seed), question.trials) {}

  ToleranceBudget search() {
    ToleranceBudget budget;
    budget.question = question_;
    budget.inputs = inputs_;
    budget.costs = costs_;
    if (!has_power()) {
      double sets = 1;
      for (const CostedTolerance& t : costs_.tolerances) {
        sets *= static_cast<double>(t.grades.size());
      }
      budget.sets =
          sets < 1e18 ? static_cast<std::size_t>(sets) : std::numeric_limits<std::size_t>::max();
    }
    double share = question_.required;
    double share_of_found = share;
    FoundWidths found;
    for (std::uint64_t attempt = 1; attempt <= kMostChecks; ++attempt) {
      const FoundWidths next = find(share);
      const bool is_last_set = found.found && !next.found;
      if (!is_last_set) {
        found = next;
        share_of_found = share;
      }
      WidthSample check(sample_of_(kSamplesOfSeed * question_.seed + attempt),
                        question_.check_trials);
      const double reached = check.count(factors(widths_of(found.grades))).share();
      const bool enough = !found.found || is_last_set || reached >= question_.required;
      const bool is_last = enough || attempt == kMostChecks;
      if (is_last) report(budget, found, share_of_found, check);
      simulated_before_ += check.simulated();
      if (is_last) break;
      const double p = question_.required;
      share += p - reached + std::sqrt(p * (1 - p) / static_cast<double>(question_.trials));
    }
    budget.tried = tried_;
    budget.simulated = simulated_before_ + sample_.simulated();
    tell(1.0);
    return budget;
  }

 private:
  void tell(double share) {
    if (!show_ || share <= told_) return;
    told_ = share;
    show_(share);
  }

  [[nodiscard]] bool has_power() const {
    return std::any_of(costs_.tolerances.begin(), costs_.tolerances.end(),
                       [](const CostedTolerance& t) { return t.power.has_value(); });
  }

  [[nodiscard]] double today_width(const CostedTolerance& t) const {
    return inputs_[t.inputs.front()].width;
  }

  [[nodiscard]] OfferedGrade power_grade(const CostedTolerance& t, double width) const {
    return {width, t.power->cost * std::pow(today_width(t) / width, t.power->exponent)};
  }

  /// The factors of all inputs when the tolerances have these widths.
  [[nodiscard]] std::vector<double> factors(const std::vector<double>& widths) const {
    std::vector<double> factors(inputs_.size(), 1.0);
    for (std::size_t k = 0; k < widths.size(); ++k) {
      for (const std::size_t input : costs_.tolerances[k].inputs) {
        factors[input] = widths[k] / inputs_[input].width;
      }
    }
    return factors;
  }

  static std::vector<double> widths_of(const std::vector<OfferedGrade>& grades) {
    std::vector<double> widths;
    for (const OfferedGrade& grade : grades) widths.push_back(grade.width);
    return widths;
  }

  static std::vector<OfferedGrade> grades_of(const Ladders& ladders, const GradeSet& set) {
    std::vector<OfferedGrade> grades;
    for (std::size_t k = 0; k < set.size(); ++k) grades.push_back(ladders[k][set[k]]);
    return grades;
  }

  /// The cheapest set of some widths.
  FoundWidths find_among(const Ladders& ladders, double share) {
    GradeProblem problem;
    for (const std::vector<OfferedGrade>& ladder : ladders) {
      problem.costs.emplace_back();
      for (const OfferedGrade& grade : ladder) problem.costs.back().push_back(grade.cost);
    }
    problem.is_good = [&](const GradeSet& set) {
      return sample_.reaches(factors(widths_of(grades_of(ladders, set))), share);
    };
    problem.show = [&](double done) { tell(kSearchShare * done); };
    const GradeSearch result = cheapest_grades(problem);
    tried_ += result.tried;
    return {result.found, result.proven, grades_of(ladders, result.grades), result.cost};
  }

  /// The geometric ladder of a power law: its widths are a factor of about 2 apart.
  [[nodiscard]] std::vector<OfferedGrade> whole_ladder(const CostedTolerance& t) const {
    const double octaves = std::log(t.power->widest / t.power->narrowest) / std::log(kLadderRatio);
    const int steps = std::max(static_cast<int>(std::ceil(octaves - 1e-9)), 1);
    std::vector<OfferedGrade> ladder;
    for (int k = 0; k <= steps; ++k) {
      ladder.push_back(power_grade(
          t, t.power->widest *
                 std::pow(t.power->narrowest / t.power->widest, static_cast<double>(k) / steps)));
    }
    return ladder;
  }

  /// Three widths around one, as far as they are offered.
  [[nodiscard]] std::vector<OfferedGrade> window(const CostedTolerance& t, double width,
                                                 double ratio) const {
    std::vector<OfferedGrade> ladder;
    for (const double factor : {ratio, 1.0, 1 / ratio}) {
      const double w = std::clamp(factor * width, t.power->narrowest, t.power->widest);
      if (ladder.empty() || w < ladder.back().width) ladder.push_back(power_grade(t, w));
    }
    return ladder;
  }

  FoundWidths find(double share) {
    Ladders ladders;
    for (const CostedTolerance& t : costs_.tolerances) {
      ladders.push_back(t.power ? whole_ladder(t) : t.grades);
    }
    FoundWidths best = find_among(ladders, share);
    if (!best.found || !has_power()) return best;
    for (double ratio = std::sqrt(kLadderRatio); ratio * ratio > kFinestRatio;
         ratio = std::sqrt(ratio)) {
      for (int move = 0; move < kMostMoves; ++move) {
        for (std::size_t k = 0; k < ladders.size(); ++k) {
          const CostedTolerance& t = costs_.tolerances[k];
          if (t.power) ladders[k] = window(t, best.grades[k].width, ratio);
        }
        const FoundWidths next = find_among(ladders, share);
        if (!next.found || !(next.cost < best.cost * (1 - 1e-9))) break;
        best = next;
      }
    }
    best.proven = false;
    return best;
  }

  /// What one share of money buys of a tolerance: the narrowest width, or at least the cheapest.
  [[nodiscard]] OfferedGrade bought(const CostedTolerance& t, double money) const {
    if (t.power) {
      const double width =
          money > 0 ? today_width(t) * std::pow(t.power->cost / money, 1 / t.power->exponent)
                    : t.power->widest;
      return power_grade(t, std::clamp(width, t.power->narrowest, t.power->widest));
    }
    OfferedGrade best = t.grades.front();
    for (const OfferedGrade& grade : t.grades) {
      if (grade.cost <= money) best = grade;
    }
    return best;
  }

  /// The smallest equal shares that reach what is required: bisection.
  std::vector<OfferedGrade> equal_shares(double share) {
    const auto reaches = [&](const std::vector<OfferedGrade>& grades) {
      return sample_.reaches(factors(widths_of(grades)), share);
    };
    const auto bought_for = [&](double money) {
      std::vector<OfferedGrade> grades;
      for (const CostedTolerance& t : costs_.tolerances) grades.push_back(bought(t, money));
      return grades;
    };
    double low = 0;
    double high = 0;
    for (const CostedTolerance& t : costs_.tolerances) {
      high =
          std::max(high, t.power ? power_grade(t, t.power->narrowest).cost : t.grades.back().cost);
    }
    std::vector<OfferedGrade> at_high = bought_for(high);
    if (const auto cheapest = bought_for(low); reaches(cheapest)) return cheapest;
    for (int k = 0; k < kMostBisections && high - low > 1e-4 * high; ++k) {
      const double middle = (low + high) / 2;
      const std::vector<OfferedGrade> grades = bought_for(middle);
      if (reaches(grades)) {
        high = middle;
        at_high = grades;
      } else {
        low = middle;
      }
    }
    return at_high;
  }

  PricedSet priced(const std::vector<OfferedGrade>& grades, WidthSample& check) const {
    PricedSet set;
    set.widths = widths_of(grades);
    for (const OfferedGrade& grade : grades) set.costs.emplace_back(grade.cost);
    set.success = check.count(factors(set.widths));
    set.interval = set.success.interval(two_sided_z(question_.confidence));
    return set;
  }

  PricedSet priced_today(WidthSample& check) const {
    std::vector<OfferedGrade> grades;
    for (const CostedTolerance& t : costs_.tolerances) grades.push_back({today_width(t), 0});
    PricedSet set = priced(grades, check);
    set.success = check.count(std::vector<double>(inputs_.size(), 1.0));
    set.interval = set.success.interval(two_sided_z(question_.confidence));
    for (std::size_t k = 0; k < grades.size(); ++k) set.costs[k] = costs_.tolerances[k].today;
    return set;
  }

  void report(ToleranceBudget& budget, const FoundWidths& found, double share, WidthSample& check) {
    const double z = two_sided_z(question_.confidence);
    const std::vector<double> today(inputs_.size(), 1.0);
    budget.found = found.found;
    budget.proven = found.proven;
    tell(kSearchShare);
    if (found.found) {
      const std::vector<OfferedGrade> equal = equal_shares(share);
      tell(kEqualShare);
      budget.equal = priced(equal, check);
    }
    budget.today = priced_today(check);
    budget.chosen = priced(found.grades, check);
    const std::vector<double> chosen = factors(budget.chosen.widths);
    budget.gain = check.difference(chosen, today, z);
    for (std::size_t k = 0; k < costs_.tolerances.size(); ++k) {
      std::vector<double> without = chosen;
      for (const std::size_t input : costs_.tolerances[k].inputs) without[input] = 1.0;
      budget.worth.emplace_back();
      if (without != chosen) budget.worth.back() = check.difference(chosen, without, z);
      tell(kEqualShare + (1 - kEqualShare) * static_cast<double>(k + 1) /
                             static_cast<double>(costs_.tolerances.size() + 1));
    }
  }

  const std::vector<ToleranceInput>& inputs_;
  const CostFile& costs_;
  BudgetQuestion question_;
  const SampleOfSeed& sample_of_;
  const std::function<void(double)>& show_;
  WidthSample sample_;
  std::size_t tried_ = 0;
  std::int64_t simulated_before_ = 0;
  double told_ = 0.0;
};

}  // namespace

std::optional<double> PricedSet::cost() const {
  double sum = 0;
  for (const std::optional<double>& cost : costs) {
    if (!cost) return std::nullopt;
    sum += *cost;
  }
  return sum;
}

ToleranceBudget share_budget(const std::vector<ToleranceInput>& inputs, const CostFile& costs,
                             const BudgetQuestion& question, const SampleOfSeed& sample,
                             const std::function<void(double)>& show) {
  GRASPMAP_CHECK(!costs.tolerances.empty() && question.trials > 0 && question.check_trials > 0);
  GRASPMAP_CHECK(0 < question.required && question.required < 1);
  return BudgetSearch(inputs, costs, question, sample, show).search();
}

}  // namespace graspmap
