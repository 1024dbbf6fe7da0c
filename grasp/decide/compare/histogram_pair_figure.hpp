#pragma once

#include <string>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/sweep/trials/success_map.hpp"

namespace graspmap {

/// Two maps side by side as such histograms, of the cells with x >= 0 or of all of them. NAME.csv
/// holds what is drawn, a table for each. Titles are any text.
struct HistogramPairInput {
  std::string name;  ///< of the files: letters, digits, '_'
  std::string title;
  std::string subtitle;
  std::string left_title;
  const SuccessMap& left;
  std::string right_title;
  const SuccessMap& right;
  bool only_right_half = true;  ///< the cells with x >= 0 only, where both maps have some
};

Figure histogram_pair_figure(const HistogramPairInput& input);

}  // namespace graspmap
