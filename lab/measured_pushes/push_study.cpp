#include "lab/measured_pushes/push_study.hpp"

#include <mutex>
#include <utility>

#include "grasp/base/process/stop.hpp"

namespace graspmap {
namespace {

PushLaw law_of(const std::map<PushSet, PushFit>& fits, const RecordedPush& push) {
  return fits.at(push.set()).law_at(push.start.angle_rad);
}

/// The law of one set, without and with a direction of the table.
std::pair<PushFit, PushFit> fitted_laws(const PushSet& set, const PushData& data,
                                        const PushScene& scene, Workspace& workspace,
                                        SimulationResult& result) {
  std::vector<ComparedPush> pushes;
  for (const RecordedPush& push : data.pushes) {
    if (push.set() != set || !is_trained_on(push)) continue;
    pushes.push_back({&push, scene.in_contact(push)});
  }
  const double length_mm = data.lengths_mm.at(set);
  const auto family = [&](SlidingKind kind) {
    return PushLawFamily(kind, data.pairs.at(set).rows, length_mm,
                         data.shapes.at(set.first).mass.mass_kg);
  };
  const auto fitted = [&](const PushLawFamily& laws, bool directed) {
    return fit_push_law(laws, directed, length_mm, scene, pushes, workspace, result);
  };
  PushFit best = fitted(family(SlidingKind::kFourthOrder), false);
  const PushFit ellipsoid = fitted(family(SlidingKind::kEllipsoid), false);
  if (ellipsoid.misfit < best.misfit) best = ellipsoid;
  return {best, fitted(best.family, true)};
}

}  // namespace

bool is_trained_on(const RecordedPush& push) {
  return push.split == "train" && push.window == "full" && !push.doubtful && push.end.has_value();
}

void for_all(std::size_t count, const SweepControl& control,
             const std::function<void(std::size_t, Workspace&, SimulationResult&)>& work) {
  const auto all = static_cast<std::int64_t>(count);
  const TrialFunction trial = [&](std::int64_t k, Workspace& workspace, SimulationResult& result) {
    work(static_cast<std::size_t>(k), workspace, result);
    return Outcome::kSuccess;
  };
  if (run_trials(all, control, trial) < all) throw AnalysisStopped();
}

PushStudy study_pushes(const PushData& data, const SweepControl& control,
                       const std::function<void(const PushSet&, const PushFit&)>& say) {
  std::map<std::string, PushScene> scenes;
  std::map<std::string, PushLaw> uniform;
  for (const auto& [name, shape] : data.shapes) {
    scenes.emplace(name, shape);
    uniform.emplace(name, uniform_law(shape));
  }
  std::vector<PushSet> sets;
  for (const auto& [set, pairs] : data.pairs) sets.push_back(set);
  PushStudy study;
  std::mutex mutex;
  for_all(sets.size(), control, [&](std::size_t k, Workspace& workspace, SimulationResult& result) {
    const auto [fit, directed] =
        fitted_laws(sets[k], data, scenes.at(sets[k].first), workspace, result);
    const std::lock_guard lock(mutex);
    study.fits.emplace(sets[k], fit);
    study.directed_fits.emplace(sets[k], directed);
    say(sets[k], fit);
  });
  study.predictions.resize(data.pushes.size());
  for_all(data.pushes.size(), control,
          [&](std::size_t k, Workspace& workspace, SimulationResult& result) {
            const RecordedPush& push = data.pushes[k];
            const PushScene& scene = scenes.at(push.shape);
            PushPrediction& said = study.predictions[k];
            said.start = scene.in_contact(push);
            const auto simulated = [&](const PushLaw& law) {
              return scene.simulated(push, said.start, law, workspace, result);
            };
            said.fitted = simulated(law_of(study.fits, push));
            said.directed = simulated(law_of(study.directed_fits, push));
            said.uniform = simulated(uniform.at(push.shape));
          });
  return study;
}

}  // namespace graspmap
