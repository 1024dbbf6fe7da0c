#include "lab/spatial_scenes/spatial_recording.hpp"

#include <algorithm>

namespace graspmap {

std::optional<SampledOverlap> SpatialResult::deepest() const {
  return deepest_of(recording.samples,
                    [](const SpatialSample& sample) { return sample.shown.time_s; });
}

void SpatialRecorder::observe(const SpatialSnapshot& snapshot) {
  last_.shown = snapshot;
  passing_.observe(snapshot);
  if (snapshot.step_s > 0.0) {
    double overlap_mm = 0.0;
    for (const SpatialContact& c : snapshot.contacts) overlap_mm = std::max(overlap_mm, -c.gap_mm);
    last_.since.add(snapshot.iterations, snapshot.residual, overlap_mm);
    last_.contact_work_j += snapshot.contact_work_j;
  }
  last_is_kept_ = false;
  if (schedule_.is_due(snapshot.time_s)) keep();
}

SpatialRecording SpatialRecorder::finish() {
  if (!last_is_kept_) keep();
  recording_.passing = passing_.found();
  return std::move(recording_);
}

void SpatialRecorder::keep() {
  last_.overlap = overlaps_.deepest(last_.shown.poses);
  recording_.samples.push_back(last_);
  last_.since = {};
  last_.contact_work_j = 0.0;
  last_is_kept_ = true;
}

double fastest_mm_s(const SpatialSnapshot& snapshot) {
  double fastest = 0.0;
  for (const Twist& velocity : snapshot.velocities) {
    fastest = std::max(fastest, velocity.head<3>().norm());
  }
  return fastest;
}

ContactHold contact_hold(const SpatialSnapshot& snapshot, std::size_t k) {
  constexpr double kStill = 1e-6;
  const SpatialContact& contact = snapshot.contacts[k];
  if (contact.patch == PatchKind::kOpen || contact.p_n <= 0.0) return ContactHold::kOpen;
  return contact.sigma_mm_s > kStill * std::max(1.0, fastest_mm_s(snapshot))
             ? ContactHold::kSliding
             : ContactHold::kSticking;
}

}  // namespace graspmap
