#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// The map of a run under other distributions: what `graspmap reweight` and Run.reweight are asked.
struct ReweightRequest {
  std::vector<std::string> set;  ///< "friction.jaw.max=0.2"
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run, which must live as long as what is found. Throws RequestError when
/// its trials say too little; ConfigError.
Reweighting reweight_run(const RunStore& run, const ReweightRequest& request);

}  // namespace graspmap
