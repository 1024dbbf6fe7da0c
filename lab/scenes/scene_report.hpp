#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "grasp/base/process/terminal.hpp"
#include "lab/scene_model/scene_run.hpp"

namespace graspmap {

/// Two bodies that overlap.
struct BodyOverlap {
  int body_a = 0;
  int body_b = 0;
  double depth_mm = 0.0;
};

/// The deepest overlap of all samples.
struct SampledOverlap {
  BodyOverlap overlap;
  double time_s = 0.0;
};

/// Two bodies that may have passed through each other in a step: they moved past each other by more
/// than their thicknesses together.
struct PassingBodies {
  int body_a = 0;
  int body_b = 0;
  double moved_mm = 0.0;
  double thickness_mm = 0.0;  ///< the radii of the largest spheres in them
  double time_s = 0.0;        ///< at the end of the step
};

/// How a contact holds at the end of a step.
enum class ContactHold : std::uint8_t {
  kOpen,      ///< no force acts
  kSticking,  ///< |p_t| < mu p_n
  kSliding    ///< |p_t| = mu p_n
};
const char* name(ContactHold hold);

/// How a simulation ended.
enum class SceneEnd : std::uint8_t { kFinished, kFailed, kInterrupted };
const char* name(SceneEnd end);

/// How a simulation of a scene of any kind went.
struct SceneOutcome {
  SceneRun run;
  double wall_time_s = 0.0;
  bool interrupted = false;

  [[nodiscard]] SceneEnd end() const;
  [[nodiscard]] double steps_per_s() const;
};

/// A body as summaries and warnings name it.
struct NamedBody {
  std::string name;
  bool moves = false;
  double size_mm = 0.0;  ///< its bounding radius, or that of its largest piece
};

/// What summaries, warnings and figures say of a scene of any kind.
struct SceneFacts {
  std::string name;
  std::string title;
  SceneRunSettings run;
  const char* solver_key = "stepper";  ///< what the solver is called in summary.json
  std::string solver;
  double tolerance = 0.0;
  std::vector<NamedBody> bodies;
  std::string overlap_advice;  ///< what may help against overlaps besides a smaller step

  /// "disc and floor", the bodies of a contact.
  [[nodiscard]] std::string pair_text(int body_a, int body_b) const;
};

/// What the summaries of scenes of all kinds say.
struct SceneReport {
  SceneFacts scene;
  SceneOutcome outcome;
  double end_s = 0.0;
  SceneEnergy start_energy;
  SceneEnergy end_energy;
  std::optional<SampledOverlap> deepest;  ///< of equally deep ones the first
  std::optional<PassingBodies> passing;
  std::int64_t samples = 0;
  std::int64_t steps_per_sample = 1;

  /// The largest overlap of any contact or sample, mm.
  [[nodiscard]] double most_overlap_mm() const;
};

/// What is printed after a simulation.
std::string summary_text(const SceneReport& report);

/// summary.json.
std::string summary_json(const SceneReport& report);

/// One line on the step that could not be solved: time, size, status, contact and residual. The
/// run must have failed.
std::string failure_text(const SceneReport& report);

/// The warning for bodies that overlap by more than a hundredth of the smaller one's size: contacts
/// were missed, or the steps were too large for them. Without such an overlap, the warning for
/// bodies that may have passed through each other. Nothing when all is well.
std::optional<std::string> overlap_warning(const SceneReport& report);

/// "[######------]  50 %  1.5 of 3 s  1680 steps/s  0:30 left", at most `width` characters.
std::string scene_progress_bar(double time_s, double duration_s, double steps_per_s,
                               double elapsed_s, std::size_t width);

/// Shows how far a simulation is, a few times per second: a bar on a terminal, else a line every
/// 10 s.
class SceneProgress {
 public:
  SceneProgress(double duration_s, ProgressStyle style, std::ostream& out)
      : duration_s_(duration_s), style_(style), out_(out) {}

  /// After each step.
  void step_done(double time_s);
  /// Shows the last state.
  void finish();

  [[nodiscard]] double elapsed_s() const;

 private:
  void show(double elapsed_s, bool last);

  double duration_s_;
  ProgressStyle style_;
  std::ostream& out_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double time_s_ = 0.0;
  std::int64_t steps_ = 0;
  double shown_s_ = 0.0;  ///< when it was shown last
  bool any_shown_ = false;
};

}  // namespace graspmap
