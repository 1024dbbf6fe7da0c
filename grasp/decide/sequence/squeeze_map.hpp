#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grasp/decide/sequence/kept_trials.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// Where the part's centre of mass lies in G before the first squeeze, and about which the opened
/// gripper is turned, mm: midway between the jaws, and in y at the middle of the pads. Fingers that
/// are quarter-planes have no middle: twice the part's reach below their tips.
Vec2 squeeze_point_mm(const Scenario& scenario);

/// A squeeze: the opened gripper turns about the squeeze point and moves to the part's side, by x
/// in its frame; then its jaws close and open. Beside the part's middle one jaw pushes it before
/// the other meets it. Or a push: after the turn the opened gripper moves in its x until one jaw is
/// |push_mm| past where the squeeze point was, the left jaw for push_mm > 0, else the right one;
/// then it goes back, so that the part lies about between the jaws.
struct Squeeze {
  double turn_rad = 0.0;
  double offset_mm = 0.0;
  double push_mm = 0.0;  ///< 0: a squeeze

  [[nodiscard]] bool is_push() const { return push_mm != 0.0; }
};
using SqueezeSequence = std::vector<Squeeze>;

/// The pose in front of the jaws of a squeeze.
LyingPose before_jaws(const LyingPose& pose, const Squeeze& squeeze);

/// How the gripper turns and opens between squeezes.
struct SqueezeMotion {
  double turn_speed_rad_s = 1.0;
  std::optional<double> opening_mm = {};  ///< after a squeeze; nothing: the gripper's
};

/// A squeeze as a configuration has it, without a turn or a move by 0. `opening_mm`: of the jaws
/// before it; nothing: the gripper's.
std::vector<DrawnPhase> squeeze_phases(const Scenario& scenario, const Squeeze& squeeze = {},
                                       const SqueezeMotion& motion = {},
                                       std::optional<double> opening_mm = {});

/// A pure function of its index: friction and uncertain numbers of a trial.
struct TrialDraw {
  TrialParameters friction;  ///< at no placement
  std::vector<double> uncertain;
};
TrialDraw drawn_trial(const SweepConfig& config, std::uint64_t seed, std::uint64_t index);

/// What the configuration's program makes of a start pose.
ProgramTrial simulated_program(const SweepConfig& config, const TrialDraw& draw,
                               const Vec2& squeeze_point_mm, const LyingPose& start,
                               Workspace& workspace, SimulationResult& result);

/// What one squeeze or push makes of a pose: a transition map (Goldberg 1993), simulated where it
/// is asked for. It depends on the angle, on how far the centre of mass is from the middle between
/// the jaws, for one jaw meets the part first and pushes it, and on the draw of friction and
/// uncertain numbers. Between its angles it is linear where it is continuous. y is carried along.
class SqueezeMap {
 public:
  static constexpr int kAngles = 720;             ///< over a full turn
  static constexpr int kOffsets = 20;             ///< on each side of the middle
  static constexpr double kOffsetOfReach = 0.05;  ///< from one to the next, of the part's reach

  /// With so many draws; one where nothing differs from trial to trial. `pushes_mm` are those of
  /// the pushes that may be asked for, besides the squeeze. `kept` must live as long.
  SqueezeMap(const SweepConfig& config, const SqueezeMotion& motion, std::vector<double> pushes_mm,
             int draws, std::uint64_t seed, int threads, const KeptTrials& kept);

  [[nodiscard]] int draws() const { return static_cast<int>(draws_.size()); }
  /// The squeezes that it has.
  [[nodiscard]] std::int64_t size() const { return size_; }

  /// Notes that a pose will be squeezed, or pushed.
  void ask(const WeightedPose& one, const Squeeze& squeeze);
  /// Simulates what was asked for and is not there, in parallel: the same bits with any number of
  /// threads. Throws AnalysisStopped.
  void simulate_asked();
  /// The pose after it. It must have been simulated.
  [[nodiscard]] WeightedPose squeezed(const WeightedPose& one, const Squeeze& squeeze) const;

  /// The angles of the map at which a centred squeeze, or push, ends elsewhere, rad in [0, 2 pi),
  /// of draw 0.
  std::vector<double> breakpoints(const Squeeze& squeeze);
  /// The smallest angle by which a part may be turned without any change to what a centred squeeze
  /// does to it, of draw 0: half a turn, or less for a part that is more symmetric.
  double symmetry_rad();

 private:
  struct Entry {
    enum class Known : std::uint8_t { kNo, kAsked, kYes } known = Known::kNo;
    bool lost = false;
    double turn_rad = 0.0;
    Vec2 center_mm = Vec2::Zero();  ///< y from y before
  };
  /// The squeeze, or a push.
  struct Kind {
    double push_mm = 0.0;
    std::string name;
    SweepConfig config;  ///< its program is one of them
    std::vector<Entry> entries = {};
    std::vector<std::int64_t> asked = {};
  };
  [[nodiscard]] std::size_t kind_of(const Squeeze& squeeze) const;
  [[nodiscard]] std::size_t entry(int draw, int angle, int offset) const;
  [[nodiscard]] int offset_of(const LyingPose& pose) const;
  static void ask(Kind& kind, std::size_t number);
  [[nodiscard]] ProgramTrial simulated(const SweepConfig& config, std::int64_t number,
                                       Workspace& workspace, SimulationResult& result) const;
  /// At all angles, of draw 0.
  const Kind& simulate_centred(const Squeeze& squeeze);

  Vec2 point_mm_;
  double offset_mm_;
  int threads_;
  const KeptTrials& kept_;
  std::vector<TrialDraw> draws_;
  std::vector<Kind> kinds_;  ///< the squeeze first
  std::int64_t size_ = 0;
};

}  // namespace graspmap
