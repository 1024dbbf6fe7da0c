#include <fmt/format.h>

#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/decide/reweight/new_run.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

RequestFields ReweightRequest::fields() {
  return {texts_field("set KEY=LAW ...", set,
                      "another distribution (may be repeated): friction.jaw, friction.support or "
                      "placement.noise.x_mm, .y_mm, .theta_rad, or the key of an uncertain number, "
                      "as for `graspmap run`"),
          confidence_field(confidence)};
}

namespace {

/// Refuses a map that says nothing.
void check_worth(const ReweightedMap& map, const std::string& new_run) {
  if (!(map.median_effective_trials() >= map.least_trials())) {
    throw RequestError(fmt::format(
        "the stored trials are worth {:.1f} trials in the median cell under the new distributions; "
        "must be {} or more: take broader ones, or simulate them: {}",
        map.median_effective_trials(), map.least_trials(), new_run));
  }
  if (map.pareto_shape > kMostParetoShape) {
    throw RequestError(fmt::format(
        "a few stored trials would decide: their weights have a tail of k = {:.2f}; must be {} or "
        "less: the new distributions reach too far into the tails of the stored ones; simulate "
        "them: {}",
        map.pareto_shape, kMostParetoShape, new_run));
  }
}

}  // namespace

Reweighting reweight_run(const RunStore& run, const ReweightRequest& request) {
  if (request.set.empty()) {
    throw RequestError("set", "missing", "one other distribution, or several");
  }
  SweepConfig wanted = with_other_distributions(run.config_toml(), request.set);
  const std::string new_run = new_run_command(run.file(), request.set, "reweighted");
  const InputChange change(run.config(), wanted, request.set, new_run);
  ReweightedMap map = reweight_trials(run, change);
  check_worth(map, new_run);
  return {run_title(run.config().name, run.file()),
          run.config(),
          std::move(wanted),
          change.changed(),
          std::move(map),
          request.confidence};
}

}  // namespace graspmap
