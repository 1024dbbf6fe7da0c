#include "grasp/show/story/trial_story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "geometry/assert.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_scene.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"

namespace graspmap {
namespace {

ContactEvent make_event(double time_s, ContactEventKind kind, const ContactRecord& contact) {
  return {time_s,
          kind,
          contact.piece,
          contact.side,
          contact.feature,
          contact.finger_feature,
          contact.point_G_mm,
          {0, 0},
          false,
          contact.obstacle};
}

/// All that success rules want touched.
std::vector<TouchTarget> sought_touches(const std::vector<SuccessAlternative>& success) {
  std::vector<TouchTarget> sought;
  for (const SuccessAlternative& rule : success) {
    for (const auto* targets : {&rule.left, &rule.right, &rule.palm}) {
      sought.insert(sought.end(), targets->begin(), targets->end());
    }
  }
  return sought;
}

/// Whether a near pair touches: its gap is below stop.contact_gap_mm, or an impulse acts.
bool is_contact(const ContactRecord& contact, double contact_gap_mm) {
  return contact.psi_mm < contact_gap_mm || contact.normal_impulse_mn_s > 0;
}

/// The contacts of a step.
std::vector<ContactRecord> touching(const StepRecord& step, double contact_gap_mm) {
  std::vector<ContactRecord> contacts;
  std::copy_if(step.contacts->begin(), step.contacts->end(), std::back_inserter(contacts),
               [&](const ContactRecord& contact) { return is_contact(contact, contact_gap_mm); });
  return contacts;
}

}  // namespace

double moment_s(const Scenario& scenario) {
  constexpr double kMoment_s = 0.002;
  const bool sized_by_error = scenario.tolerance_mm > 0.0;
  return sized_by_error ? std::min(scenario.step_s, kMoment_s) : scenario.step_s;
}

Vec2 contact_force_n(const ContactRecord& contact, double step_s) {
  GRASPMAP_CHECK(step_s > 0);
  const Vec2 impulse_mn_s = contact.normal_impulse_mn_s * contact.normal_G +
                            contact.tangential_impulse_mn_s * perp(contact.normal_G);
  return impulse_mn_s / (step_s * kMillinewtonsPerNewton);
}

ContactPair pair_of(const ContactRecord& contact) {
  return {contact.piece, contact.side, contact.obstacle, contact.finger_feature};
}

ContactPair pair_of(const ContactEvent& event) {
  return {event.piece, event.side, event.obstacle, event.finger_feature};
}

void ContactWatcher::observe(const StepRecord& step, std::vector<ContactEvent>& events) {
  for (auto& [key, pair] : pairs_) pair.seen = false;
  for (const ContactRecord& contact : *step.contacts) {
    observe_contact(step.time_s, contact, events);
  }
  // Pairs that are not even near any more are not in the step's list.
  for (auto& [key, pair] : pairs_) {
    if (!pair.seen) end_contact(step.time_s, pair, events);
  }
}

void ContactWatcher::observe_contact(double time_s, const ContactRecord& contact,
                                     std::vector<ContactEvent>& events) {
  Pair& pair = pairs_[pair_of(contact)];
  pair.seen = true;
  pair.last = contact;
  if (!is_contact(contact, contact_gap_mm_)) return end_contact(time_s, pair, events);

  if (pair.motion == Motion::kApart) {
    events.push_back(make_event(time_s, ContactEventKind::kBegan, contact));
    pair.motion = Motion::kTouching;
  }
  const Motion now = motion_of(contact, pair.motion);
  if (now == pair.motion) return;
  pair.motion = now;
  const bool stuck = now == Motion::kStuck;
  ContactEvent event =
      make_event(time_s, stuck ? ContactEventKind::kStuck : ContactEventKind::kSlid, contact);
  event.creeps = stuck && contact.sliding;
  if (!stuck) event.slip_G_mm_s = contact.slip_mm_s * perp(contact.normal_G);
  events.push_back(event);
}

void ContactWatcher::end_contact(double time_s, Pair& pair,
                                 std::vector<ContactEvent>& events) const {
  if (pair.motion == Motion::kApart) return;
  pair.motion = Motion::kApart;
  events.push_back(make_event(time_s, ContactEventKind::kEnded, pair.last));
}

/// Without an impulse nothing sticks and nothing slides: the motion stays what it was.
ContactWatcher::Motion ContactWatcher::motion_of(const ContactRecord& contact,
                                                 Motion before) const {
  if (contact.normal_impulse_mn_s <= 0) return before;
  if (!contact.sliding || std::abs(contact.slip_mm_s) < rest_mm_s_) return Motion::kStuck;
  return contact.slip_mm_s > 0 ? Motion::kSlidingForward : Motion::kSlidingBackward;
}

TrialStory tell_trial(const SweepConfig& config, const TrialParameters& parameters,
                      std::span<const double> uncertain) {
  Workspace workspace;
  DrawnScenario memory;
  const Scenario& scenario = scenario_of(config, uncertain, memory);
  TrialStory story;
  ContactWatcher watcher(scenario.stop.contact_gap_mm, scenario.stop.stopped_speed_mm_s);
  const StepObserver observer = [&](const StepRecord& step) {
    if (step.step_s > 0.0)
      watcher.observe(step, story.events);  // else nothing is known of contacts
    story.trajectory.push_back(
        {step.time_s, step.step_s, *step.state, part_pose_in_gripper(scenario, *step.state),
         touching(step, scenario.stop.contact_gap_mm), step.residual, step.phase});
  };
  SimulationResult result;
  simulate(scenario, parameters, workspace, result, &observer);
  story.scenario = scenario;
  for (std::size_t k = 0; k < uncertain.size(); ++k) {
    story.drawn.emplace_back(config.uncertain[k].key, uncertain[k]);
  }
  story.row = trial_row(config, scenario, parameters, result);
  story.end = result.end;
  story.left_touches = result.left_touches;
  story.right_touches = result.right_touches;
  story.palm_touches = result.palm_touches;
  story.obstacle_touches = result.obstacle_touches;
  story.blocking_obstacle = result.blocking_obstacle;
  story.phase_ends = result.phase_ends;
  story.sought = sought_touches(config.success);
  if (story.end == EndReason::kStopped || story.end == EndReason::kTimeout) {
    story.unmet = unmet_conditions(config.success, scenario.part, result, story.row.final_pose,
                                   asked_hold_factor(config, scenario, story.row));
    if (config.hold) {
      const Manoeuvre manoeuvre = manoeuvre_of(*config.hold);
      const State end = end_state(scenario, story.row);
      story.hold = HoldStory{hold_factor_of(config, scenario, story.row),
                             hold_capacity(scenario, parameters, end, manoeuvre),
                             manoeuvre_words(*config.hold)};
    }
  }
  return story;
}

TrialStory tell_trial(const SweepConfig& config, std::int64_t index) {
  GRASPMAP_CHECK(index >= 0);
  const SampledTrial trial = sample_trial(config, index);
  TrialStory story = tell_trial(config, trial.parameters, trial.uncertain);
  story.row.index = index;
  story.row.set_cell(trial.cell());
  return story;
}

namespace {

constexpr std::size_t kMostMoments = 8;
constexpr std::size_t kFewestMoments = 4;
constexpr std::size_t kLongMotionMoments = 6;  ///< as far as that, long motions are shown under way

/// How much a moment matters; larger is more.
enum Weight { kMotionChanges = 1, kContactEnds, kContactBegins, kJawBegins, kAlways };

struct Candidate {
  Moment moment;
  int weight = kMotionChanges;
};

/// The events of one moment.
using Events = std::vector<ContactEvent>;

std::vector<Events> grouped_by_time(const Events& events, double within_s) {
  std::vector<Events> groups;
  for (const ContactEvent& event : events) {
    if (groups.empty() || event.time_s > groups.back().front().time_s + 1.5 * within_s) {
      groups.emplace_back();
    }
    groups.back().push_back(event);
  }
  return groups;
}

/// "left fingertip", "right inside edge", "right finger's edge 3", "palm's edge 1", "wall's face".
template <typename Contact>
std::string place(const Scenario& scenario, const Contact& contact) {
  const std::string name = finger_place(scenario, contact.side, contact.feature,
                                        contact.finger_feature, contact.obstacle);
  if (contact.side == JawSide::kPalm) return fmt::format("palm's {}", name);
  if (contact.side == JawSide::kObstacle) {
    return fmt::format("{}'s {}", scenario.obstacles[index(contact.obstacle)].name, name);
  }
  const bool is_outline = side_outline(scenario, contact.side) != nullptr;
  return fmt::format("{}{} {}", word(contact.side), is_outline ? " finger's" : "", name);
}

std::string slides(const Vec2& slip_G) { return fmt::format("slides {}", slip_direction(slip_G)); }

/// What happens to one contact: its events, in order.
std::string pair_caption(const Events& events, const Scenario& scenario) {
  const ContactEvent& last = events.back();
  const std::string piece = feature_name(scenario.part, last.piece);
  const std::string where = place(scenario, last);
  const bool began = events.front().kind == ContactEventKind::kBegan;
  switch (last.kind) {
    case ContactEventKind::kBegan:
      return fmt::format("{} meets {}", where, piece);
    case ContactEventKind::kStuck:
      return began ? fmt::format("{} meets {}, which sticks", where, piece)
                   : fmt::format("{} sticks to {}", piece, where);
    case ContactEventKind::kSlid:
      return began ? fmt::format("{} meets {}, which {}", where, piece, slides(last.slip_G_mm_s))
                   : fmt::format("{} {} on {}", piece, slides(last.slip_G_mm_s), where);
    case ContactEventKind::kEnded:
      break;
  }
  return fmt::format("{} leaves {}", where, piece);
}

/// The events of each pair, in the order of their first ones.
std::vector<Events> by_pair(const Events& events) {
  std::vector<Events> pairs;
  for (const ContactEvent& event : events) {
    const auto pair = std::find_if(pairs.begin(), pairs.end(), [&](const Events& other) {
      return pair_of(other.front()) == pair_of(event);
    });
    if (pair == pairs.end()) {
      pairs.push_back({event});
    } else {
      pair->push_back(event);
    }
  }
  return pairs;
}

std::string joined(const std::vector<std::string>& phrases) {
  return fmt::format("{}", fmt::join(phrases, "; "));
}

bool all_stick(const std::vector<ContactRecord>& contacts) {
  return std::none_of(contacts.begin(), contacts.end(), [](const ContactRecord& contact) {
    return contact.normal_impulse_mn_s > 0 && contact.sliding;
  });
}

std::string caption_of(const Events& events, const TrajectorySample& sample,
                       const Scenario& scenario) {
  std::vector<std::string> begins_and_ends;
  std::vector<std::string> changes;
  std::size_t sticking = 0;
  for (const Events& pair : by_pair(events)) {
    const bool sticks = pair.back().kind == ContactEventKind::kStuck;
    const bool began = pair.front().kind == ContactEventKind::kBegan;
    if (sticks) ++sticking;
    const bool changes_only = !began && (sticks || pair.back().kind == ContactEventKind::kSlid);
    (changes_only ? changes : begins_and_ends).push_back(pair_caption(pair, scenario));
  }
  if (sticking > 1 && changes.size() > 1 && all_stick(sample.contacts)) {
    changes = {"everything sticks"};
  }
  begins_and_ends.insert(begins_and_ends.end(), changes.begin(), changes.end());
  return joined(begins_and_ends);
}

/// What the contacts do at a moment at which nothing changes.
std::string caption_of(const TrajectorySample& sample, const Scenario& scenario) {
  std::vector<std::string> phrases;
  for (const ContactRecord& contact : sample.contacts) {
    if (contact.normal_impulse_mn_s <= 0) continue;
    const std::string piece = feature_name(scenario.part, contact.piece);
    const std::string where = place(scenario, contact);
    const Vec2 slip_G = contact.slip_mm_s * perp(contact.normal_G);
    phrases.push_back(contact.sliding ? fmt::format("{} {} on {}", piece, slides(slip_G), where)
                                      : fmt::format("{} pushes {}", where, piece));
  }
  return phrases.empty() ? "no force acts on the part" : joined(phrases);
}

/// The sample of a time, which is the end of a step.
std::size_t sample_at(const std::vector<TrajectorySample>& trajectory, double time_s) {
  const auto sample =
      std::lower_bound(trajectory.begin(), trajectory.end(), time_s,
                       [](const TrajectorySample& s, double time) { return s.time_s < time; });
  // Free travel of no length ends at the start: the later of two samples is meant.
  return static_cast<std::size_t>(sample - trajectory.begin());
}

/// Gives moments of the story their weights.
class Weigher {
 public:
  int weight(const Events& events) {
    int weight = kMotionChanges;
    for (const ContactEvent& event : events) weight = std::max(weight, this->weight(event));
    return weight;
  }

 private:
  int weight(const ContactEvent& event) {
    if (event.kind == ContactEventKind::kEnded) return kContactEnds;
    if (event.kind != ContactEventKind::kBegan) return kMotionChanges;
    bool& jaw_touched = touched_[side_index(event.side)];
    const bool first = std::find(touched_.begin(), touched_.end(), true) == touched_.end();
    const bool first_of_jaw = !jaw_touched;
    jaw_touched = true;
    return first ? kAlways : first_of_jaw ? kJawBegins : kContactBegins;
  }

  std::array<bool, kJawSides.size()> touched_{};
};

std::string end_caption(const TrialStory& story) {
  return fmt::format("{}: {}", name(story.row.outcome), why_it_ended(story));
}

std::string start_caption(const GripperProgram& program) {
  return program.empty() ? "the jaws start to close" : "start: " + phase_words(program.front());
}

/// The first sample of each phase but the first.
std::vector<std::size_t> phase_begins(const std::vector<TrajectorySample>& trajectory) {
  std::vector<std::size_t> begins;
  for (std::size_t k = 1; k < trajectory.size(); ++k) {
    if (trajectory[k].phase != trajectory[k - 1].phase) begins.push_back(k);
  }
  return begins;
}

std::vector<Candidate> candidates(const TrialStory& story) {
  const auto& trajectory = story.trajectory;
  const std::size_t last = trajectory.size() - 1;
  if (last == 0) return {{{0, end_caption(story)}, kAlways}};
  std::vector<Candidate> all{{{0, start_caption(story.scenario.program)}, kAlways}};
  Weigher weigher;
  for (const Events& events : grouped_by_time(story.events, moment_s(story.scenario))) {
    const std::size_t sample = sample_at(trajectory, events.back().time_s);
    all.push_back(
        {{sample, caption_of(events, trajectory[sample], story.scenario)}, weigher.weight(events)});
  }
  for (const std::size_t begin : phase_begins(trajectory)) {
    const Phase& phase = story.scenario.program[index(trajectory[begin].phase)];
    all.push_back({{begin, phase_words(phase)}, kJawBegins});
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.moment.sample < b.moment.sample;
  });
  const std::string end = end_caption(story);
  if (all.back().moment.sample == last) {
    all.back() = {{last, all.back().moment.caption + "; " + end}, kAlways};
  } else {
    all.push_back({{last, end}, kAlways});
  }
  return all;
}

/// How far part and jaws move between two samples, mm: of the part, the motion of its origin and of
/// a point at the distance `radius_mm`.
double motion_mm(const TrajectorySample& a, const TrajectorySample& b, double radius_mm) {
  return (b.part_pose.position_mm - a.part_pose.position_mm).norm() +
         radius_mm * std::abs(b.part_pose.angle_rad - a.part_pose.angle_rad) +
         std::max(std::abs(b.state.jaw_right_mm - a.state.jaw_right_mm),
                  std::abs(b.state.jaw_left_mm - a.state.jaw_left_mm));
}

/// Chooses among the candidates.
class Selection {
 public:
  explicit Selection(const TrialStory& story)
      : story_(story),
        radius_mm_(bounding_radius_mm(story.scenario.part, Vec2::Zero())),
        chosen_(candidates(story)) {}

  std::vector<Moment> choose() {
    drop_lookalikes();
    while (chosen_.size() > kMostMoments) drop_least();
    while (chosen_.size() < kFewestMoments && add_in_motion_longer_than(little_mm())) {
    }
    while (chosen_.size() < kLongMotionMoments && add_in_motion_longer_than(0.6 * radius_mm_)) {
    }
    std::vector<Moment> moments;
    for (Candidate& candidate : chosen_) moments.push_back(std::move(candidate.moment));
    return moments;
  }

 private:
  [[nodiscard]] double motion_between(std::size_t i, std::size_t j) const {
    return motion_mm(story_.trajectory[i], story_.trajectory[j], radius_mm_);
  }
  /// Motion that is not worth a picture of its own.
  [[nodiscard]] double little_mm() const { return 0.06 * radius_mm_; }

  void drop_lookalikes() {
    for (std::size_t k = 1; k < chosen_.size();) {
      const Candidate& candidate = chosen_[k];
      const bool alike =
          motion_between(chosen_[k - 1].moment.sample, candidate.moment.sample) < little_mm();
      if (alike && candidate.weight == kMotionChanges) {
        erase(k);
      } else {
        ++k;
      }
    }
  }

  /// Drops the least weight; of equals, the one that differs least from the one before.
  void drop_least() {
    std::size_t least = 1;
    const auto rank = [&](std::size_t k) {
      return std::pair(chosen_[k].weight,
                       motion_between(chosen_[k - 1].moment.sample, chosen_[k].moment.sample));
    };
    for (std::size_t k = 2; k + 1 < chosen_.size(); ++k) {
      if (rank(k) < rank(least)) least = k;
    }
    erase(least);
  }

  /// Adds the middle of the longest motion between two moments; false when all are shorter than
  /// that.
  bool add_in_motion_longer_than(double least_mm) {
    std::size_t gap = 0;
    double longest_mm = least_mm;
    for (std::size_t k = 1; k < chosen_.size(); ++k) {
      const std::size_t from = chosen_[k - 1].moment.sample;
      const std::size_t to = chosen_[k].moment.sample;
      // The second sample is the end of the jaws' free travel, before anything is touched.
      if (to - std::max<std::size_t>(from, 1) < 2 || motion_between(from, to) < longest_mm)
        continue;
      longest_mm = motion_between(from, to);
      gap = k;
    }
    if (gap == 0) return false;
    const std::size_t middle = middle_of_motion(gap);
    insert(gap, {{middle, caption_of(story_.trajectory[middle], story_.scenario)}, kMotionChanges});
    return true;
  }

  [[nodiscard]] std::size_t middle_of_motion(std::size_t gap) const {
    const std::size_t from = std::max<std::size_t>(chosen_[gap - 1].moment.sample, 1);
    const std::size_t to = chosen_[gap].moment.sample;
    std::size_t middle = from + 1;
    while (middle + 1 < to && motion_between(from, middle) < motion_between(middle, to)) ++middle;
    return middle;
  }

  void erase(std::size_t k) { chosen_.erase(chosen_.begin() + static_cast<std::ptrdiff_t>(k)); }
  void insert(std::size_t k, Candidate candidate) {
    chosen_.insert(chosen_.begin() + static_cast<std::ptrdiff_t>(k), std::move(candidate));
  }

  const TrialStory& story_;
  double radius_mm_;
  std::vector<Candidate> chosen_;
};

}  // namespace

std::vector<Moment> all_moments(const TrialStory& story) {
  std::vector<Moment> moments;
  for (Candidate& candidate : candidates(story)) {
    moments.push_back(std::move(candidate.moment));
  }
  return moments;
}

std::vector<Moment> key_moments(const TrialStory& story) { return Selection(story).choose(); }

}  // namespace graspmap
