#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/decide/tolerances/widened_trials.hpp"

namespace graspmap {

/// A grade that is offered: a width, in the unit of the key, and what it costs.
struct OfferedGrade {
  double width = 0.0;
  double cost = 0.0;
};

/// A cost that grows smoothly: cost (today's width / width)^exponent.
struct PowerCost {
  double cost = 0.0;  ///< of today's width
  double exponent = 1.0;
  double narrowest = 0.0;  ///< width
  double widest = 0.0;
};

/// What the widths of one tolerance cost, or of several that are bought together.
struct CostedTolerance {
  std::vector<std::string> keys;
  std::vector<std::size_t> inputs;  ///< of each key, its place among the inputs
  /// The widest first, each dearer than the one before; empty with a power law.
  std::vector<OfferedGrade> grades;
  std::optional<PowerCost> power;
  /// Today's cost; nothing when no grade that is offered has today's width.
  std::optional<double> today;

  /// "friction.jaw", "robot.x_mm and robot.y_mm".
  [[nodiscard]] std::string name() const;
};

/// A file of costs.
struct CostFile {
  std::string unit;  ///< of costs: "EUR"; may be empty
  std::vector<CostedTolerance> tolerances;
};

/// Reads a file of costs (docs/reference/formats.md) for these inputs. Grades that cost as much as
/// a narrower one, or more, are left out. Throws ConfigError with file, line and key.
CostFile read_cost_file(const std::filesystem::path& file,
                        const std::vector<ToleranceInput>& inputs);
/// The same from its text; `source` stands for the file in errors.
CostFile parse_cost_file(const std::string& text, const std::string& source,
                         const std::vector<ToleranceInput>& inputs);

/// One grade of each tolerance, by their places.
using GradeSet = std::vector<std::size_t>;

/// What is asked for: the cheapest set of grades that is good enough.
struct GradeProblem {
  /// The cost of each grade of each tolerance; ascending: the next grade is dearer and narrower.
  std::vector<std::vector<double>> costs;
  /// Whether a set is good enough. A set is not worse than another one whose grades are all as wide
  /// or wider.
  std::function<bool(const GradeSet&)> is_good;
  /// Called now and then with the share of the sets that are decided; may be empty.
  std::function<void(double)> show;
  std::size_t most_tries = 3000;  ///< sets that are tried before the search gives up its proof
};

struct GradeSearch {
  bool found = false;  ///< false: not even the narrowest set is good enough
  GradeSet grades;     ///< the cheapest; when not found the narrowest
  double cost = 0.0;
  bool proven = false;    ///< every cheaper set is not good enough
  std::size_t sets = 0;   ///< how many there are; as many as a number can hold
  std::size_t tried = 0;  ///< how many were asked for
};

double cost_of(const GradeProblem& problem, const GradeSet& set);

/// The cheapest set that is good enough.
///
/// A first one comes from the narrowest by taking the wider grade that saves most while the set
/// stays good enough, again and again. Then branch and bound: of the sets that cost less, are not
/// wider in every grade than one that is known not to be good enough, and were not tried, the
/// dearest is tried. When it is good enough it is widened in the same way and is the bound; else
/// all sets that are wider go with it. When none is left the cheapest is proven. With more than
/// 200,000 sets, or too many tries, it is not proven: there single grades are made narrower and the
/// others widened again until no such exchange is cheaper.
GradeSearch cheapest_grades(const GradeProblem& problem);

}  // namespace graspmap
