#include <fmt/format.h>

#include <algorithm>

#include "grasp/decide/hold/held_grasps.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

RequestFields HoldRequest::fields() {
  return at.fields_and(
      {texts_field("set hold.KEY=VALUE ...", set,
                   "another manoeuvre than the run's [hold], or one for a run without: "
                   "hold.acceleration_m_s2=5; may be repeated"),
       number_field("factor S", factor, kAboveZero,
                    "the safety factor that the hold must have (default: the largest "
                    "hold_factor in [[success]], else 1)"),
       required_probability_field(required_probability,
                                  "with which the part must be held and lifted, for the "
                                  "closing force that it needs (default: 0.99)"),
       flag_field("no-check", no_check, "do not simulate the trials there again with that force"),
       threads_field(threads), confidence_field(confidence)});
}

namespace {

/// The run's configuration with another manoeuvre.
SweepConfig asked_config(const RunStore& run, const HoldRequest& request) {
  for (const std::string& setting : request.set) {
    if (setting.starts_with("hold.")) continue;
    throw RequestError("set", fmt::format("'{}'", setting),
                       "a key of [hold], hold.KEY=VALUE: trials that were simulated stay as they "
                       "are");
  }
  std::vector<std::string> set = request.set;
  const std::optional<double> thickness_mm = run.config().scenario.thickness_mm;
  if (!run.config().hold && thickness_mm) {
    set.insert(set.begin(), fmt::format("hold.part_height_mm={}", *thickness_mm));
  }
  SweepConfig config =
      set.empty() ? run.config() : parse_sweep_config(run.config_toml(), run.file().string(), set);
  if (!config.hold) {
    throw RequestError(
        "the run has no [hold]: --set must give the part's height, hold.part_height_mm=H, and the "
        "manoeuvre, hold.acceleration_m_s2=A; [hold] in the configuration says it for good");
  }
  return config;
}

double asked_factor(const SweepConfig& config, const HoldRequest& request) {
  double factor = 0.0;
  for (const SuccessAlternative& rule : config.success) {
    factor = std::max(factor, rule.hold_factor.value_or(0.0));
  }
  return request.factor.value_or(factor > 0.0 ? factor : 1.0);
}

}  // namespace

std::optional<HeldGrasps> hold_run(const RunStore& run, const HoldRequest& request,
                                   const std::atomic<int>* stop, const ShowTrials& show) {
  constexpr double kRequired = 0.99;
  const SweepConfig config = asked_config(run, request);
  HoldQuestion question;
  question.factor = asked_factor(config, request);
  question.required = request.required_probability.value_or(kRequired);
  question.confidence = request.confidence;
  question.check = !request.no_check;
  check_placement(request.at, config);
  SweepControl control;
  control.threads = request.threads;
  control.stop = stop;
  std::optional<HeldGrasps> held = held_grasps(run, config, question, request.at, control, show);
  if (!held) return std::nullopt;
  held->name = config.name;
  held->title = run_title(config.name, run.file());
  return held;
}

}  // namespace graspmap
