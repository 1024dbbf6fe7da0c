#pragma once

#include <memory>
#include <string>

#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap::python {

/// A trial that was simulated with all that was seen of it.
struct ToldTrial {
  std::shared_ptr<const SweepConfig> config;
  TrialStory story;
  std::string title;        ///< of its pictures
  std::string differences;  ///< how a stored trial that was run again differs; empty: it does not
  bool is_stored = false;   ///< belongs to a run: index and cell count
};

}  // namespace graspmap::python
