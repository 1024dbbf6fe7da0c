#include <fmt/format.h>

#include <cmath>

#include "grasp/base/io/errors.hpp"
#include "grasp/decide/lab_plan/lab_plan.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace {

/// "KEY=NUMBER", or one name with its number.
RequestField change_field(std::string form, std::optional<LabChange>& member, std::string meaning) {
  return {std::move(form), std::move(meaning),
          [&member](const RequestValues& values, const char* option) {
            const auto change = values.named_number(option);
            member = change ? lab_change(change->first, change->second)
                            : parse_lab_change(values.text(option));
            if (std::abs(member->amount) > kMostSize) {
              values.refuse(option, fmt::format("of a number up to {:g} in size", kMostSize));
            }
          }};
}

RequestField learn_field(std::string form, std::optional<Change>& member, std::string meaning) {
  return {std::move(form), std::move(meaning),
          [&member](const RequestValues& values, const char* option) {
            std::vector<std::string> keys;
            for (const Change change : kChanges) keys.emplace_back(key(change));
            member = kChanges[values.word(option, keys)];
          }};
}

}  // namespace

RequestFields LabPlanRequest::fields() {
  return {
      change_field("detect KEY=NUMBER", detect, "the change to find"),
      number_field("agree-within D", agree_within_points,
                   {"percentage points > 0, at most 50", 0.0, 50.0, true},
                   "the difference that is still agreement, in percentage points"),
      learn_field("learn PARAMETER", learn, "the parameter to know"),
      number_field("to-width W", to_width, kAboveZero,
                   "the widest interval, in the parameter's unit"),
      count_field("trials N", trials, static_cast<int>(kLeastLabTrials),
                  static_cast<int>(kMostLabTrials), "what so many trials can show"),
      number_field("power P", power, {"a number from 0.5 to 0.99", 0.5, 0.99},
                   "the share of experiments that reach the goal, 0.5 to 0.99 (default: 0.8)"),
      word_field("placements HOW", placements,
                 {name(PlacementChoice::kSpread), name(PlacementChoice::kInformative)},
                 "spread over the map, or informative: mostly where a trial is most "
                 "informative (default: spread)"),
      count_field("sessions K", sessions, 1, 1000,
                  "blocks of trials: friction is constant within each, one pair of surfaces on one "
                  "day (default: friction varies from trial to trial)"),
      count_field("trials-per-placement N", trials_per_placement, 1, 1000,
                  "so many trials at each placement (default: 1)"),
      seed_field(seed, "of placements, order and simulation"),
      count_field("experiments N", experiments, 200, 20'000,
                  "experiments to simulate for the power, 200 to 20000 (default: 1000)"),
      threads_field(threads),
      confidence_field(confidence)};
}

namespace {

LabGoal goal_of(const LabPlanRequest& request) {
  const int goals = static_cast<int>(request.detect.has_value()) +
                    static_cast<int>(request.agree_within_points.has_value()) +
                    static_cast<int>(request.learn.has_value()) +
                    static_cast<int>(request.trials.has_value());
  if (goals != 1) {
    throw RequestError(
        "must have one goal: --detect CHANGE, --agree-within D, --learn PARAMETER --to-width W, or "
        "--trials N");
  }
  if (request.to_width && !request.learn) throw RequestError("to-width", "belongs to --learn");
  if (request.detect) return DetectGoal{*request.detect};
  if (request.agree_within_points) return AgreeGoal{*request.agree_within_points / 100};
  if (request.trials) {
    if (request.sessions > *request.trials) {
      throw RequestError("sessions", "", fmt::format("at most --trials, {}", *request.trials));
    }
    return TrialsGoal{*request.trials};
  }
  if (!request.to_width) throw RequestError("learn", "needs --to-width W");
  const bool in_points = *request.learn == Change::kLevel;
  return LearnGoal{*request.learn, *request.to_width / (in_points ? 100 : 1)};
}

}  // namespace

LabPlan lab_plan_run(const RunStore& run, const LabPlanRequest& request,
                     const SweepControl& control, const LabPlanWatcher& watcher) {
  const LabGoal goal = goal_of(request);
  if (request.placements == PlacementChoice::kInformative && !has_informative_placements(goal)) {
    throw RequestError("placements",
                       "informative is not for this goal, which is about success all over the map");
  }
  const LabQuestion question{{goal, request.power, request.confidence},
                             request.placements,
                             request.trials_per_placement,
                             request.sessions,
                             request.seed,
                             request.experiments};
  LabPlan plan = make_lab_plan(run.config(), question, control, watcher);
  plan.title = run_title(run.config().name, run.file());
  if (!plan.answer.search.found) throw ConfigError("lab-plan: " + unreachable_text(plan));
  return plan;
}

}  // namespace graspmap
