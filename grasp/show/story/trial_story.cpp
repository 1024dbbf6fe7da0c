#include "grasp/show/story/trial_story.hpp"

#include <algorithm>
#include <iterator>

#include "grasp/base/io/units.hpp"

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
          {0, 0}};
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

/// The contacts of a step.
std::vector<ContactRecord> touching(const StepRecord& step, double contact_gap_mm) {
  std::vector<ContactRecord> contacts;
  std::copy_if(step.contacts->begin(), step.contacts->end(), std::back_inserter(contacts),
               [&](const ContactRecord& contact) { return is_contact(contact, contact_gap_mm); });
  return contacts;
}

}  // namespace

bool is_contact(const ContactRecord& contact, double contact_gap_mm) {
  return contact.psi_mm < contact_gap_mm || contact.normal_impulse_mn_s > 0;
}

double moment_s(const Scenario& scenario) {
  constexpr double kMoment_s = 0.002;
  const bool sized_by_error = scenario.tolerance_mm > 0.0;
  return sized_by_error ? std::min(scenario.step_s, kMoment_s) : scenario.step_s;
}

Vec2 contact_force_n(const ContactRecord& contact, double step_s) {
  const Vec2 impulse_mn_s = contact.normal_impulse_mn_s * contact.normal_G +
                            contact.tangential_impulse_mn_s * perp(contact.normal_G);
  return impulse_mn_s / (step_s * kMillinewtonsPerNewton);
}

ContactPair pair_of(const ContactRecord& contact) {
  return {contact.piece, contact.side, contact.finger_feature};
}

ContactPair pair_of(const ContactEvent& event) {
  return {event.piece, event.side, event.finger_feature};
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
ContactWatcher::Motion ContactWatcher::motion_of(const ContactRecord& contact, Motion before) {
  if (contact.normal_impulse_mn_s <= 0) return before;
  if (!contact.sliding) return Motion::kStuck;
  return contact.slip_mm_s > 0 ? Motion::kSlidingForward : Motion::kSlidingBackward;
}

TrialStory tell_trial(const SweepConfig& config, const TrialParameters& parameters,
                      std::span<const double> uncertain) {
  Workspace workspace;
  const Scenario& scenario = scenario_of(config, uncertain, workspace.scenario_memory());
  TrialStory story;
  ContactWatcher watcher(scenario.stop.contact_gap_mm);
  const StepObserver observer = [&](const StepRecord& step) {
    watcher.observe(step, story.events);
    story.trajectory.push_back({step.time_s, step.step_s, *step.state,
                                part_pose_in_gripper(scenario, *step.state),
                                touching(step, scenario.stop.contact_gap_mm), step.residual});
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
  story.sought = sought_touches(config.success);
  return story;
}

TrialStory tell_trial(const SweepConfig& config, std::int64_t index) {
  const SampledTrial trial = sample_trial(config, index);
  TrialStory story = tell_trial(config, trial.parameters, trial.uncertain);
  story.row.index = index;
  story.row.set_cell(trial.cell());
  return story;
}

}  // namespace graspmap
