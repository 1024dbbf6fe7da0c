#include "grasp/scenes/scene_recording.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

void add_step(StepsSinceSample& since, const PlanarStep& step) {
  ++since.steps;
  since.iterations += step.iterations;
  since.worst_residual = std::max(since.worst_residual, step.residual);
  since.worst_overlap_mm = std::max(since.worst_overlap_mm, step.worst_overlap_mm());
}

}  // namespace

std::int64_t sampling_for(const SceneRunSettings& run, std::int64_t most) {
  const double steps = std::ceil(run.duration_s / run.step_s - 1e-9);
  return std::max<std::int64_t>(1, std::llround(std::ceil(steps / static_cast<double>(most))));
}

void SceneRecorder::observe(const PlanarState& state, const PlanarStep* step) {
  last_.state = state;
  if (step != nullptr) {
    add_step(last_.since, *step);
    last_.contacts = step->contacts;
    last_.step_s = state.time_s - last_time_s_;
  }
  last_time_s_ = state.time_s;
  last_is_kept_ = false;
  const double steps = state.time_s / step_s_;
  if (steps < static_cast<double>(next_) - 1e-6) return;
  keep();
  while (static_cast<double>(next_) <= steps + 1e-6) next_ += recording_.every;
}

SceneRecording SceneRecorder::finish() {
  if (!last_is_kept_) keep();
  return std::move(recording_);
}

void SceneRecorder::keep() {
  last_.energy = energy(scene_, last_.state);
  last_.overlap = deepest_overlap(scene_, last_.state);
  recording_.samples.push_back(last_);
  last_.since = {};
  last_is_kept_ = true;
}

const char* name(ContactHold hold) {
  switch (hold) {
    case ContactHold::kOpen:
      return "open";
    case ContactHold::kSticking:
      return "sticking";
    case ContactHold::kSliding:
      break;
  }
  return "sliding";
}

ContactHold contact_hold(const SceneSample& sample, std::size_t k) {
  constexpr double kNothing = 1e-9;
  constexpr double kOnTheCone = 1.0 - 1e-6;
  double largest = 0.0;
  for (const PlanarContact& contact : sample.contacts) largest = std::max(largest, contact.p_n);
  const PlanarContact& contact = sample.contacts[k];
  if (contact.p_n <= kNothing * largest) return ContactHold::kOpen;
  const double cone = contact.mu * contact.p_n;
  return std::abs(contact.p_t) < kOnTheCone * cone ? ContactHold::kSticking : ContactHold::kSliding;
}

}  // namespace graspmap
