#include "lab/scenes/scene_recording.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
void SceneRecorder::observe(const PlanarState& state, const PlanarStep* step) {
  last_.state = state;
  if (step != nullptr) {
    last_.since.add(step->iterations, step->residual, step->worst_overlap_mm());
    last_.contacts = step->contacts;
    last_.step_s = state.time_s - last_time_s_;
  }
  last_time_s_ = state.time_s;
  last_is_kept_ = false;
  if (schedule_.is_due(state.time_s)) keep();
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
