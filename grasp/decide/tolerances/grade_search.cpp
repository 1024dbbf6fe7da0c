#include "grasp/decide/tolerances/grade_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace graspmap {
namespace {

constexpr std::size_t kMostSets = 200'000;
/// Sums of costs in another order differ by rounding.
constexpr double kSameCost = 1e-9;

bool is_cheaper(double cost, double than) { return cost < than - kSameCost * (1 + than); }

std::size_t count_sets(const GradeProblem& problem) {
  std::size_t sets = 1;
  for (const auto& costs : problem.costs) {
    if (sets > std::numeric_limits<std::size_t>::max() / costs.size()) {
      return std::numeric_limits<std::size_t>::max();
    }
    sets *= costs.size();
  }
  return sets;
}

class GradeSearcher {
 public:
  explicit GradeSearcher(const GradeProblem& problem) : problem_(problem) {}

  GradeSearch search() {
    GradeSearch result;
    result.sets = count_sets(problem_);
    for (const auto& costs : problem_.costs) best_.push_back(costs.size() - 1);
    result.found = is_good(best_);
    if (result.found) {
      best_ = widened(best_);
      result.proven = result.sets <= kMostSets && prove(result.sets);
      if (!result.proven) exchange();
    }
    result.grades = best_;
    result.cost = cost_of(problem_, best_);
    result.tried = known_good_.size() + known_bad_.size();
    return result;
  }

 private:
  bool is_good(const GradeSet& set) {
    if (known_good_.contains(set)) return true;
    if (known_bad_.contains(set)) return false;
    const bool good = problem_.is_good(set);
    (good ? known_good_ : known_bad_).insert(set);
    return good;
  }

  /// Whether a set that is not good enough is as narrow or narrower in every grade.
  [[nodiscard]] bool is_hopeless(const GradeSet& set) const {
    return std::any_of(known_bad_.begin(), known_bad_.end(), [&](const GradeSet& bad) {
      return std::equal(set.begin(), set.end(), bad.begin(),
                        [](std::size_t a, std::size_t b) { return a <= b; });
    });
  }

  /// A good set with wider grades: the one that saves most first, until none can be wider.
  GradeSet widened(GradeSet set) {
    std::vector<std::size_t> order(set.size());
    for (bool changed = true; changed;) {
      changed = false;
      std::iota(order.begin(), order.end(), 0U);
      const auto saving = [&](std::size_t k) {
        return set[k] == 0 ? -1.0 : problem_.costs[k][set[k]] - problem_.costs[k][set[k] - 1];
      };
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return saving(a) > saving(b); });
      for (const std::size_t k : order) {
        if (set[k] == 0) continue;
        --set[k];
        changed = !is_hopeless(set) && is_good(set);
        if (changed) break;
        ++set[k];
      }
    }
    return set;
  }

  [[nodiscard]] GradeSet set_of(std::size_t number) const {
    GradeSet set;
    for (const auto& costs : problem_.costs) {
      set.push_back(number % costs.size());
      number /= costs.size();
    }
    return set;
  }

  /// Goes through all sets from the dearest; false when there were too many tries.
  bool prove(std::size_t sets) {
    std::vector<double> costs(sets);
    for (std::size_t k = 0; k < sets; ++k) costs[k] = cost_of(problem_, set_of(k));
    std::vector<std::size_t> order(sets);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
    for (std::size_t k = 0; k < sets; ++k) {
      const GradeSet set = set_of(order[k]);
      if (!is_cheaper(costs[order[k]], cost_of(problem_, best_)) || is_hopeless(set)) continue;
      if (known_good_.size() + known_bad_.size() >= problem_.most_tries) return false;
      if (problem_.show) problem_.show(static_cast<double>(k) / static_cast<double>(sets));
      if (is_good(set)) best_ = widened(set);
    }
    return true;
  }

  /// Single grades narrower, the others wider again, while that is cheaper.
  void exchange() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < best_.size() && !changed; ++k) {
        if (best_[k] + 1 == problem_.costs[k].size()) continue;
        GradeSet other = best_;
        ++other[k];
        other = widened_except(other, k);
        changed = is_cheaper(cost_of(problem_, other), cost_of(problem_, best_));
        if (changed) best_ = other;
      }
    }
  }

  /// As widened(), but grade `kept` stays.
  GradeSet widened_except(const GradeSet& set, std::size_t kept) {
    GradeProblem others = problem_;
    others.costs[kept] = {problem_.costs[kept][set[kept]]};
    others.is_good = [&](const GradeSet& asked) {
      GradeSet whole = asked;
      whole[kept] = set[kept];
      return is_good(whole);
    };
    GradeSet start = set;
    start[kept] = 0;
    GradeSet result = GradeSearcher(others).widened(start);
    result[kept] = set[kept];
    return result;
  }

  const GradeProblem& problem_;
  GradeSet best_;
  std::set<GradeSet> known_good_;
  std::set<GradeSet> known_bad_;
};

}  // namespace

double cost_of(const GradeProblem& problem, const GradeSet& set) {
  double cost = 0;
  for (std::size_t k = 0; k < set.size(); ++k) cost += problem.costs[k][set[k]];
  return cost;
}

GradeSearch cheapest_grades(const GradeProblem& problem) { return GradeSearcher(problem).search(); }

}  // namespace graspmap
