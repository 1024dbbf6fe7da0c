#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grasp/sweep/config/success_rule.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/success_conditions.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "sim/closing/trial_result.hpp"

namespace graspmap {

/// What happens to a contact between a feature of the part and a finger or the palm.
enum class ContactEventKind {
  kBegan,  ///< the gap fell below stop.contact_gap_mm, or an impulse acts
  kStuck,  ///< an impulse acts without sliding, or with less than stop.stopped_speed_mm_s
  kSlid,   ///< sliding begins, or changes its direction
  kEnded   ///< the gap grew beyond stop.contact_gap_mm
};

/// One event of one contact. Its time is the end of the step in which it was seen.
struct ContactEvent {
  double time_s = 0.0;
  ContactEventKind kind = ContactEventKind::kBegan;
  int piece = 0;  ///< these four as in ContactRecord
  JawSide side = JawSide::kRight;
  JawFeature feature = JawFeature::kVertex;
  int finger_feature = -1;
  Vec2 point_G_mm{0, 0};
  Vec2 slip_G_mm_s{0, 0};  ///< how the part slides on the jaw; zero for other kinds
  bool creeps = false;     ///< of kStuck: it slides, but slower than jaws that count as stopped
  int obstacle = -1;       ///< as in ContactRecord
};

/// One step as a row of the trajectory.
struct TrajectorySample {
  double time_s = 0.0;  ///< at the end of the step
  double step_s = 0.0;  ///< 0 at the start and at the end of free travel
  State state;
  Pose2 part_pose;                      ///< X_GP
  std::vector<ContactRecord> contacts;  ///< the pairs that touch
  double residual = 0.0;
  int phase = 0;  ///< of the program
};

/// How long a moment is, in which events belong together and a force is a mean one: the step where
/// all are of one size. Steps sized by their error may be far longer or shorter: 2 ms at most.
double moment_s(const Scenario& scenario);

/// The mean force of a contact on the part during a step of `step_s` > 0, in G, N.
Vec2 contact_force_n(const ContactRecord& contact, double step_s);

/// What is in touch, seen from the part: a feature of it, the side, the obstacle, and the feature
/// of the side's outline. A contact keeps it as long as it does not move on to the next element.
using ContactPair = std::tuple<int, JawSide, int, int>;

ContactPair pair_of(const ContactRecord& contact);
ContactPair pair_of(const ContactEvent& event);

/// What the hand can do with the part as it lies at the end.
struct HoldStory {
  double factor =
      0.0;  ///< of the manoeuvre in [hold]; 0: not held between the jaws; NaN: not found
  HoldCapacity capacity;
  std::string manoeuvre;  ///< in words
};

/// One trial with all that was seen of it.
struct TrialStory {
  TrialRow row;
  Scenario scenario;  ///< the trial's own, with its uncertain numbers
  /// The uncertain numbers by their keys; none when the trial had the nominal ones.
  std::vector<std::pair<std::string, double>> drawn;
  EndReason end = EndReason::kFailed;
  std::vector<int> left_touches;
  std::vector<int> right_touches;
  std::vector<int> palm_touches;
  std::vector<std::vector<int>> obstacle_touches;
  int blocking_obstacle = -1;
  std::vector<TouchTarget> sought;    ///< what the success rules want touched
  std::vector<UnmetCondition> unmet;  ///< why a grasp that came to its end is no success
  std::vector<ContactEvent> events;
  std::vector<TrajectorySample> trajectory;
  std::vector<PhaseEnd> phase_ends;  ///< of a program
  std::optional<HoldStory> hold;     ///< with [hold], of a grasp that came to its end
};

/// Runs one trial and writes down what happens. `uncertain` as for run_trial.
TrialStory tell_trial(const SweepConfig& config, const TrialParameters& parameters,
                      std::span<const double> uncertain = {});

/// Runs trial `index` of a sweep, 0 <= index < config.trials(), and writes down what happens. Its
/// row is that of `run_trial`, to the last bit.
TrialStory tell_trial(const SweepConfig& config, std::int64_t index);

/// The events of a simulation, found step by step.
class ContactWatcher {
 public:
  /// Slower slides than `rest_mm_s` count as rest.
  explicit ContactWatcher(double contact_gap_mm, double rest_mm_s = 0.0)
      : contact_gap_mm_(contact_gap_mm), rest_mm_s_(rest_mm_s) {}

  /// Compares a step with the one before and appends what changed to `events`.
  void observe(const StepRecord& step, std::vector<ContactEvent>& events);

 private:
  /// A pair's state between two steps. kTouching: near, but no impulse has acted yet.
  enum class Motion { kApart, kTouching, kStuck, kSlidingForward, kSlidingBackward };
  struct Pair {
    Motion motion = Motion::kApart;
    ContactRecord last;  ///< as last seen
    bool seen = false;   ///< in this step
  };

  void observe_contact(double time_s, const ContactRecord& contact,
                       std::vector<ContactEvent>& events);
  void end_contact(double time_s, Pair& pair, std::vector<ContactEvent>& events) const;
  [[nodiscard]] Motion motion_of(const ContactRecord& contact, Motion before) const;

  std::map<ContactPair, Pair> pairs_;  ///< all that have been near
  double contact_gap_mm_;
  double rest_mm_s_ = 0.0;
};

/// A moment of a trial and what happens then, in words.
struct Moment {
  std::size_t sample = 0;  ///< index into the trajectory
  std::string caption;
};

/// Everything that happens in a trial, in the order of time: the start, the changes at the contacts
/// (those within a step and a half of each other are one moment, the last of them), the end.
std::vector<Moment> all_moments(const TrialStory& story);

/// The moments that a person should see to understand the trial, at most 8 and, if something moves,
/// at least 4. Start, first contact and end are always among them; contacts that begin come before
/// contacts that end, and these before changes between sticking and sliding, which are left out
/// when the picture hardly differs from the one before. Where there are few, some are added in the
/// middle of long motions. A pure function of the story.
std::vector<Moment> key_moments(const TrialStory& story);

}  // namespace graspmap
