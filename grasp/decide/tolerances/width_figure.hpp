#pragma once

#include <string>
#include <vector>

#include "grasp/base/pictures/figure.hpp"

namespace graspmap {

/// One row: a tolerance with two widths, as multiples of today's.
struct WidthRow {
  std::string name;
  double first = 0.0;
  std::string first_text;  ///< the width as it is read
  double second = 0.0;
  std::string second_text;
};

/// A figure of widths: a pair of bars for each tolerance, and a line at today's width.
struct WidthFigureInput {
  std::string name;      ///< of its files
  std::string title;     ///< any text
  std::string subtitle;  ///< any text
  std::string first_title;
  std::string second_title;
  std::vector<WidthRow> rows;
};

Figure width_figure(const WidthFigureInput& input);

}  // namespace graspmap
