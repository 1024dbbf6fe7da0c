// How the cost of a sweep grows: with the part, the step and the tolerance, the threads, the
// trials.
//   build/release/bench/graspmap_scaling cost [TRIALS [ROUNDS [FOLDER]]]   a table, and a plot
//   build/release/bench/graspmap_scaling overhead [TRIALS_PER_CELL [REPETITIONS]]
//   build/release/bench/graspmap_scaling threads [TRIALS_PER_CELL [REPETITIONS]]
//   build/release/bench/graspmap_scaling memory [TRIALS_PER_CELL]
//   build/release/bench/graspmap_scaling inside|rim PIECES    such a part, as a configuration
// Only ratios from one sitting can be compared: times vary with the machine and its load.

#include <fmt/format.h>

#include <exception>
#include <string>

#include "bench/cost_against_size.hpp"
#include "bench/part_family.hpp"
#include "bench/whole_sweeps.hpp"
#include "grasp/base/io/number.hpp"

namespace {

using namespace graspmap::bench;

int run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int k, int fallback) {
    if (k >= argc) return fallback;
    return static_cast<int>(graspmap::parse_integer(argv[k]).value_or(fallback));
  };
  if (what == "cost") {
    cost_against_size(number(2, 200), number(3, 5), argc > 4 ? argv[4] : "");
  } else if (what == "overhead") {
    driver_overhead(number(2, 20), number(3, 5));
  } else if (what == "threads") {
    two_threads_against_one(number(2, 20), number(3, 5));
  } else if (what == "memory") {
    peak_memory(number(2, 500));
  } else if (what == "inside") {
    fmt::print("{}", family_config(PartFamily::kInside, number(2, 70)));
  } else if (what == "rim") {
    fmt::print("{}", family_config(PartFamily::kRim, number(2, 70)));
  } else {
    fmt::print(stderr, "graspmap_scaling cost|overhead|threads|memory|inside|rim ...\n");
    return 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "graspmap_scaling: {}\n", error.what());
    return 1;
  }
}
