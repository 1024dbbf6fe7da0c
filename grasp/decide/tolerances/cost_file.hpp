#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/decide/tolerances/tolerance_inputs.hpp"

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

}  // namespace graspmap
