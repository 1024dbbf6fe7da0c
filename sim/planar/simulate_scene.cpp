#include "sim/planar/simulate_scene.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

class Run {
 public:
  Run(const PlanarScene& scene, PlanarStepper& stepper, const SceneRunSettings& settings,
      const SceneObserver& observer)
      : scene_(scene), stepper_(stepper), settings_(settings), observer_(observer) {}

  SceneRun run() {
    state_ = start_state(scene_);
    bool goes_on = observer_(state_, nullptr);
    const auto steps =
        static_cast<std::int64_t>(std::ceil(settings_.duration_s / settings_.step_s - 1e-9));
    for (std::int64_t i = 0; i < steps && goes_on; ++i) {
      const double end_s =
          std::min(static_cast<double>(i + 1) * settings_.step_s, settings_.duration_s);
      goes_on = advance_by(end_s - state_.time_s, 0);
      // Times are multiples of the step to the last bit, however it was divided.
      state_.time_s = end_s;
    }
    return result_;
  }

 private:
  /// One step, or two halves of it. False when the run is over.
  bool advance_by(double h, int halvings) {
    stepper_.step(scene_, state_, h, step_);
    if (step_.status == mcp::Status::kSolved) return accept();
    if (halvings == settings_.max_halvings) {
      fail(h);
      return false;
    }
    if (halvings == 0) ++result_.totals.halved;
    return advance_by(0.5 * h, halvings + 1) && advance_by(0.5 * h, halvings + 1);
  }

  bool accept() {
    SceneRunTotals& totals = result_.totals;
    ++totals.steps;
    totals.iterations += step_.iterations;
    totals.worst_residual = std::max(totals.worst_residual, step_.residual);
    for (const PlanarContact& contact : step_.contacts) {
      totals.worst_overlap_mm = std::max(totals.worst_overlap_mm, -contact.at.gap_mm);
    }
    state_ = step_.end;
    return observer_(state_, &step_);
  }

  void fail(double h) {
    SceneRunFailure failure{state_.time_s, h, step_.status, step_.residual, std::nullopt};
    if (step_.worst_contact >= 0) {
      failure.contact = step_.contacts[static_cast<std::size_t>(step_.worst_contact)].key;
    }
    result_.failure = failure;
  }

  const PlanarScene& scene_;
  PlanarStepper& stepper_;
  const SceneRunSettings& settings_;
  const SceneObserver& observer_;
  PlanarState state_;
  PlanarStep step_;
  SceneRun result_;
};

}  // namespace

SceneRun simulate_scene(const PlanarScene& scene, PlanarStepper& stepper,
                        const SceneRunSettings& settings, const SceneObserver& observer) {
  return Run(scene, stepper, settings, observer).run();
}

}  // namespace graspmap
