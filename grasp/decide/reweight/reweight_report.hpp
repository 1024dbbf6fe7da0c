#pragma once

#include <string>

#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"

/// What `graspmap reweight` tells: the same result as text, JSON, CSV and a figure.

namespace graspmap {

/// A run before and after a change of its laws.
struct Reweighting {
  std::string title;  ///< of the run
  const SweepConfig& stored;
  SweepConfig wanted;
  std::vector<ChangedLaw> changed;
  ReweightedMap map;
  double confidence = 0.95;
};

/// Where to grasp under the wanted laws, and what the stored trials are worth for them.
std::string reweight_text(const Reweighting& reweighting);

Object reweight_fields(const Reweighting& reweighting);

/// A row per cell, x fastest: the counts that are stored, and the probability, interval and
/// effective trials under the wanted laws.
Table reweighted_map_table(const Reweighting& reweighting);

/// Before, after, the difference, and the effective trials.
Figure reweight_figure(const Reweighting& reweighting);

}  // namespace graspmap
