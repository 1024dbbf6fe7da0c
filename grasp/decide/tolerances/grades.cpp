#include "grasp/decide/tolerances/grades.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "geometry/assert.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/io/toml_reader.hpp"

namespace graspmap {
namespace {

constexpr double kSameWidth = 1e-6;  ///< relative
constexpr double kDefaultNarrowest = 1.0 / 8;
constexpr double kDefaultWidest = 4.0;
constexpr NumberRange kCosts{.min = 0.0, .max = 1e12};
constexpr NumberRange kCostExponents{.min = 0.01, .max = 20.0};

/// "friction.jaw, part.mass_kg".
std::string keys_text(const std::vector<ToleranceInput>& inputs) {
  std::vector<std::string> keys;
  for (const ToleranceInput& input : inputs) keys.push_back(input.key);
  return fmt::format("{}", fmt::join(keys, ", "));
}

class ToleranceReader {
 public:
  ToleranceReader(const TomlTable& table, const std::vector<ToleranceInput>& inputs)
      : table_(table), inputs_(inputs) {}

  [[nodiscard]] CostedTolerance read() const {
    CostedTolerance tolerance;
    const bool has_cost = table_.has("cost");
    if (has_cost) {
      table_.belongs_elsewhere("an [[input]] without cost", {"grades"});
    } else {
      table_.belongs_elsewhere("an [[input]] with cost", {"exponent", "narrowest", "widest"});
    }
    const std::string_view first = table_.first_present({"key", "keys"});
    tolerance.keys = first == "keys" ? table_.texts_or_none("keys")
                                     : std::vector<std::string>{table_.text("key")};
    if (has_cost) {
      tolerance.power = {table_.number("cost", kCosts),
                         table_.number_or(1.0, "exponent", kCostExponents),
                         table_.number_or(0.0, "narrowest", kNonNegative),
                         table_.number_or(0.0, "widest", kNonNegative)};
    } else {
      for (const auto& [width, cost] : table_.pairs("grades")) {
        tolerance.grades.push_back({width, cost});
      }
    }
    table_.check_keys();
    if (first == "key" && table_.has("keys")) table_.fail("keys", "must come without key");
    const double unit = unit_of(first, tolerance.keys);
    find_inputs(first, tolerance);
    if (has_cost) {
      finish_power(unit, tolerance);
    } else {
      check_grades(unit, tolerance);
    }
    return tolerance;
  }

 private:
  [[nodiscard]] const ToleranceInput& input(const CostedTolerance& tolerance) const {
    return inputs_[tolerance.inputs.front()];
  }

  /// What a width of 1 in the keys' unit is in that of the inputs: keys may be in degrees.
  [[nodiscard]] double unit_of(std::string_view where, const std::vector<std::string>& keys) const {
    const auto degrees = std::count_if(
        keys.begin(), keys.end(), [](const std::string& key) { return key.ends_with("_deg"); });
    if (degrees == 0) return 1.0;
    if (degrees < std::ssize(keys)) {
      table_.fail(where, "has keys in degrees and others; must have all or none in degrees");
    }
    return kDegree_rad;
  }

  void find_inputs(std::string_view where, CostedTolerance& tolerance) const {
    if (tolerance.keys.empty()) table_.fail(where, "is empty; must name a key or several");
    for (std::string& key : tolerance.keys) {
      const auto found = std::find_if(
          inputs_.begin(), inputs_.end(),
          [name = in_radians(key)](const ToleranceInput& known) { return known.key == name; });
      if (found == inputs_.end()) fail_unknown(where, key);
      key = found->key;
      const auto place = static_cast<std::size_t>(found - inputs_.begin());
      if (std::count(tolerance.inputs.begin(), tolerance.inputs.end(), place) > 0) {
        table_.fail(where, fmt::format("names {} twice", key));
      }
      tolerance.inputs.push_back(place);
      const ToleranceInput& one = input(tolerance);
      if (one.measure != found->measure || one.unit != found->unit) {
        table_.fail(where, fmt::format("{} and {} have widths of different kinds; must be in an "
                                       "[[input]] each",
                                       one.key, key));
      }
    }
  }

  [[noreturn]] void fail_unknown(std::string_view where, const std::string& key) const {
    std::vector<std::string_view> known;
    for (const ToleranceInput& one : inputs_) known.emplace_back(one.key);
    auto meant = suggest_key(in_radians(key), known);
    if (meant && key.ends_with("_deg")) meant->key = in_degrees(meant->key);
    const std::string hint = key.starts_with("robot.")
                                 ? " (the robot's errors are those of --position-sigma-mm and "
                                   "--angle-sigma-rad)"
                                 : "";
    table_.fail(where, fmt::format("{} has no distribution here{}{}; must be one of {}", key,
                                   meant ? fmt::format(" (did you mean {}?)", meant->key) : "",
                                   hint, keys_text(inputs_)));
  }

  void check_grades(double unit, CostedTolerance& tolerance) const {
    std::vector<OfferedGrade>& grades = tolerance.grades;
    if (grades.empty()) table_.fail("grades", "is empty; must be a list of [width, cost]");
    for (const OfferedGrade& grade : grades) {
      if (!(grade.width >= 0) || !kCosts.contains(grade.cost)) {
        table_.fail("grades", fmt::format("has [{}, {}]; must have widths >= 0 and costs from 0 to "
                                          "{}",
                                          grade.width, grade.cost, kCosts.max));
      }
    }
    const double width = input(tolerance).width;
    std::sort(grades.begin(), grades.end(), [](const OfferedGrade& a, const OfferedGrade& b) {
      return a.width != b.width ? a.width > b.width : a.cost < b.cost;
    });
    for (std::size_t k = 1; k < grades.size(); ++k) {
      if (grades[k].width == grades[k - 1].width) {
        table_.fail("grades", fmt::format("has the width {} twice", grades[k].width));
      }
    }
    for (OfferedGrade& grade : grades) {
      grade.width *= unit;
      if (std::abs(grade.width - width) > kSameWidth * width) continue;
      grade.width = width;
      tolerance.today = grade.cost;
    }
    // Grades that cost as much as a narrower one are left out.
    std::vector<OfferedGrade> kept;
    for (auto grade = grades.rbegin(); grade != grades.rend(); ++grade) {
      if (kept.empty() || grade->cost < kept.back().cost) kept.push_back(*grade);
    }
    grades.assign(kept.rbegin(), kept.rend());
  }

  void finish_power(double unit, CostedTolerance& tolerance) const {
    PowerCost& power = *tolerance.power;
    const double width = input(tolerance).width / unit;
    if (!(power.cost > 0)) table_.fail("cost", "is 0; must be a number > 0");
    if (!table_.has("narrowest")) power.narrowest = kDefaultNarrowest * width;
    if (!table_.has("widest")) power.widest = kDefaultWidest * width;
    if (!(power.narrowest > 0)) table_.fail("narrowest", "is 0; must be a number > 0");
    if (!(power.narrowest < power.widest)) {
      table_.fail(table_.has("widest") ? "widest" : "narrowest",
                  fmt::format("narrowest is {} and widest {}; must be narrowest < widest",
                              power.narrowest, power.widest));
    }
    power.narrowest *= unit;
    power.widest *= unit;
    tolerance.today = power.cost;
  }

  const TomlTable& table_;
  const std::vector<ToleranceInput>& inputs_;
};

CostFile read_costs(const TomlTable& document, const std::vector<ToleranceInput>& inputs) {
  CostFile costs;
  if (document.has("unit")) costs.unit = document.text("unit");
  const std::vector<TomlTable> tables = document.tables("input");
  document.check_keys();
  std::vector<std::string> seen;
  for (const TomlTable& table : tables) {
    costs.tolerances.push_back(ToleranceReader(table, inputs).read());
    for (const std::string& key : costs.tolerances.back().keys) {
      if (std::count(seen.begin(), seen.end(), key) > 0) {
        table.fail(table.has("keys") ? "keys" : "key",
                   fmt::format("{} has costs already; must have them once", key));
      }
      seen.push_back(key);
    }
  }
  return costs;
}

}  // namespace

std::string CostedTolerance::name() const { return fmt::format("{}", fmt::join(keys, " and ")); }

CostFile parse_cost_file(const std::string& text, const std::string& source,
                         const std::vector<ToleranceInput>& inputs) {
  return read_toml(parse_toml(text, source),
                   [&](const TomlTable& document) { return read_costs(document, inputs); });
}

CostFile read_cost_file(const std::filesystem::path& file,
                        const std::vector<ToleranceInput>& inputs) {
  return parse_cost_file(read_toml_text(file), file.string(), inputs);
}

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
  GRASPMAP_ASSERT(set.size() == problem.costs.size());
  double cost = 0;
  for (std::size_t k = 0; k < set.size(); ++k) cost += problem.costs[k][set[k]];
  return cost;
}

GradeSearch cheapest_grades(const GradeProblem& problem) {
  GRASPMAP_CHECK(problem.is_good != nullptr);
  for (const auto& costs : problem.costs) {
    GRASPMAP_CHECK(!costs.empty() && std::is_sorted(costs.begin(), costs.end()));
  }
  return GradeSearcher(problem).search();
}

}  // namespace graspmap
