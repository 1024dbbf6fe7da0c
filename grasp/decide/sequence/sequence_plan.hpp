#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/probability/proportions.hpp"
#include "grasp/decide/sequence/squeeze_map.hpp"

namespace graspmap {

/// How the part may lie at the start: each pose as likely as the others.
struct StartPoses {
  Vec2 half_widths_mm = Vec2::Zero();          ///< of the box about the squeeze point
  std::array<double, 2> angles_rad{0.0, 0.0};  ///< from, to; in G
  std::vector<LyingPose> given = {};           ///< in place of both, where there are any

  [[nodiscard]] bool has_all_angles() const;
  /// A pure function of seed and index; `level` in [0, 1) places the angle, or the given pose.
  [[nodiscard]] LyingPose pose(double level, std::uint64_t seed, std::uint64_t index) const;
};

/// The probability that is sought, and how much a search does.
struct SequenceEffort {
  double probability = 0.99;
  int most_squeezes = 6;
  std::int64_t trials = 2000;  ///< fresh ones of the answer
  std::uint64_t seed = 1;
  double confidence = 0.95;
  int threads = 0;
};

struct SequenceQuestion : SequenceEffort {
  StartPoses start;
  SamePose same;
  SqueezeMotion motion = {};
  std::vector<double> offsets_mm = {0.0};  ///< of squeezes that are tried
  std::vector<double> pushes_mm = {};      ///< of pushes that are tried
  bool evaluate = false;                   ///< the configuration's program, in place of a search
};

/// The cloud of poses at the start, or after a phase.
struct PhaseCloud {
  std::string phase;  ///< "start", "the jaws close", ...
  PoseCloud cloud;
  PoseCluster largest;
  PoseSpread spread;    ///< about the largest cluster
  double time_s = 0.0;  ///< the mean at the phase's end, of trials that got there
};

/// Trials of a program.
struct ProgramTrials {
  std::vector<PhaseCloud> phases;  ///< the start, then each phase
  std::int64_t lost = 0;           ///< ended before the program's last phase did
  std::int64_t failed = 0;         ///< of these, trials that could not be solved

  [[nodiscard]] const PhaseCloud& end() const { return phases.back(); }
};

/// How far the search got with a number of squeezes.
struct SearchedLength {
  int squeezes = 0;
  double share = 0.0;               ///< of the best sequence in the map
  std::optional<double> simulated;  ///< and of the best one that was simulated as a whole
};

/// "3 squeezes", or where pushes are tried "3 squeezes or pushes".
std::string length_words(int squeezes, const SequenceQuestion& question);

struct SequencePlan {
  std::string name;
  SequenceQuestion question;
  Vec2 squeeze_point_mm = Vec2::Zero();
  SqueezeSequence squeezes;  ///< none of a program that is evaluated
  std::vector<DrawnPhase> program;
  std::vector<SearchedLength> searched;
  std::int64_t squeezes_simulated = 0;
  int refuted = 0;  ///< sequences that reached the probability in the map and in the trials of
                    ///< their choice, and not in fresh ones
  /// No sequence can reach more, for the squeezes cannot tell the part from one that is turned by
  /// `symmetry_rad`; 1 where that is not known.
  double bound = 1.0;
  double symmetry_rad = 0.0;
  LyingPose pose;  ///< that the trials should end in
  /// A search found it: it reached the probability in trials that had no part in its choice.
  bool accepted = false;
  ProgramTrials trials;  ///< fresh ones, by which nothing was chosen or accepted
  SampleCounts counts;   ///< successes end in the pose
  Interval interval;

  [[nodiscard]] double probability() const { return counts.share(); }
  [[nodiscard]] bool reaches() const {
    return question.evaluate ? probability() >= question.probability : accepted;
  }
};

/// The trials by which sequences are chosen, and those by which they are accepted, each time
/// others; those that estimate the probability are 0, 1, ...
inline constexpr std::int64_t kChoiceTrials = std::int64_t{1} << 60U;
inline constexpr std::int64_t kAcceptTrials = std::int64_t{1} << 59U;

/// Simulates a program from start poses, trials first, first + 1, ... of a seed. Throws
/// AnalysisStopped.
ProgramTrials simulate_program(const SweepConfig& config, const std::vector<DrawnPhase>& program,
                               const SequenceQuestion& question, std::int64_t first,
                               std::int64_t count, const KeptTrials& kept = KeptTrials());

/// All that the trials of a search depend on, as a text: for KeptTrials.
std::string search_text(const SweepConfig& config, const SequenceQuestion& question);

/// The shortest sequence of squeezes (Goldberg 1993, "Orienting polygonal parts without sensors")
/// and pushes that brings the part into one pose with the probability asked for, or the best one
/// that was found; or the configuration's own program. Trials that were not looked at before
/// give its probability. `kept` has trials of an earlier, interrupted search, `line` gets how far
/// the search is. Throws AnalysisStopped.
SequencePlan plan_sequence(const SweepConfig& config, const SequenceQuestion& question,
                           const KeptTrials& kept = KeptTrials(),
                           const std::function<void(const std::string&)>& line = {});

/// The plan, its probability and its phases in words.
std::string sequence_text(const SequencePlan& plan);

/// sequence.json and phases.csv; docs/reference/formats.md says what is in them.
Object sequence_fields(const SequencePlan& plan);
Table phases_table(const SequencePlan& plan);
/// Both, and sequence.toml, `config` with the sequence as its program.
std::vector<ResultFile> sequence_files(const SequencePlan& plan, SweepConfig config);

/// The funnel: a row of each phase with the angles of the trials' poses.
Figure sequence_figure(const SequencePlan& plan);

/// A known pose from an unknown one: what `graspmap sequence` is asked. fields() says what each
/// means.
struct SequenceRequest : SequenceEffort {
  std::optional<std::array<double, 2>> box_mm;
  std::optional<std::array<double, 2>> angles_deg;
  std::string particles;
  std::vector<double> offsets_mm;
  std::vector<double> push_mm;
  std::optional<double> opening_mm;
  std::optional<double> period_deg;
  double within_deg = 2.0;
  double within_mm = 1.0;
  double turn_speed_rad_s = 1.0;
  bool program = false;
  std::vector<std::string> set;

  RequestFields fields();
};

/// The question that a request asks of a configuration. Reads the file of start poses. Throws
/// RequestError, ConfigError.
SequenceQuestion sequence_question(const SweepConfig& config, const SequenceRequest& request);

}  // namespace graspmap
