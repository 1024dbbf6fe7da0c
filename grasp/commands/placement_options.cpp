#include "grasp/commands/placement_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grasp/results/derived_files.hpp"

namespace graspmap {

std::array<double, 2> read_position_sigma(const Arguments& arguments) {
  const std::vector<double> numbers = arguments.numbers("position-sigma-mm");
  const bool good =
      (numbers.size() == 1 || numbers.size() == 2) && numbers.front() >= 0 && numbers.back() >= 0;
  if (!good) {
    arguments.fail(
        fmt::format("--position-sigma-mm: '{}'; must be one or two numbers >= 0: SX,SY (mm)",
                    arguments.text("position-sigma-mm")));
  }
  return {numbers.front(), numbers.back()};
}

double read_angle_sigma(const Arguments& arguments, bool sweep_has_angles) {
  if (!arguments.has("angle-sigma-rad")) return 0.0;
  if (!sweep_has_angles) {
    arguments.fail(
        "--angle-sigma-rad: the sweep has one angle only; a sweep over angles has "
        "placement.theta_min_rad, theta_max_rad and theta_cells in its configuration");
  }
  return arguments.number_at_least("angle-sigma-rad", 0);
}

std::optional<Outcome> read_outcome(const Arguments& arguments) {
  if (!arguments.has("outcome")) return std::nullopt;
  std::vector<std::string> words;
  for (const Outcome outcome : kOutcomes) {
    if (arguments.text("outcome") == name(outcome)) return outcome;
    words.emplace_back(name(outcome));
  }
  arguments.fail(fmt::format("--outcome: '{}'; must be one of {}", arguments.text("outcome"),
                             fmt::join(words, ", ")));
}

std::string missing_trials_note(const RunStore& store, std::size_t trials) {
  const std::int64_t asked = store.trials_asked();
  const bool complete = store.config().adaptive ? read_totals(store).is_complete(asked)
                                                : static_cast<std::int64_t>(trials) == asked;
  if (complete) return {};
  return fmt::format("graspmap: note: the run is not complete: these are {} of {} trials.\n",
                     trials, asked);
}

}  // namespace graspmap
