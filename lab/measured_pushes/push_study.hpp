#pragma once

#include <functional>
#include <map>
#include <vector>

#include "grasp/sweep/trials/sweep.hpp"
#include "lab/measured_pushes/push_data.hpp"
#include "lab/measured_pushes/push_fit.hpp"

namespace graspmap {

/// What is said of a push before its end is looked at.
struct PushPrediction {
  PushStart start;
  SimulatedPush fitted;    ///< under the law of its set
  SimulatedPush uniform;   ///< under uniform pressure
  SimulatedPush directed;  ///< under the law of its set on a table with a direction
};

struct PushStudy {
  std::map<PushSet, PushFit> fits;
  std::map<PushSet, PushFit> directed_fits;  ///< of the same kinds
  std::vector<PushPrediction> predictions;   ///< of PushData::pushes
};

/// Fits the laws of all sets, each on its pushes of the split "train" that are whole, not doubtful,
/// and have an end: of the ellipsoid and the surface of fourth order the one with the smaller
/// misfit. Then simulates all pushes. The same bits with any number of threads. Throws
/// AnalysisStopped. `say` gets a line for each law, from any thread, one at a time.
PushStudy study_pushes(const PushData& data, const SweepControl& control,
                       const std::function<void(const PushSet&, const PushFit&)>& say);

/// Calls work(k, workspace, result) for all k below `count`, on threads. Throws AnalysisStopped.
void for_all(std::size_t count, const SweepControl& control,
             const std::function<void(std::size_t, Workspace&, SimulationResult&)>& work);

/// The pushes that laws are fitted on.
bool is_trained_on(const RecordedPush& push);

}  // namespace graspmap
