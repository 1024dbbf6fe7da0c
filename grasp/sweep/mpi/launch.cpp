#include "grasp/sweep/mpi/launch.hpp"

#include <array>
#include <cstdlib>

#include "grasp/base/io/number.hpp"

namespace graspmap {
namespace {

/// The variables in which a launcher says a process's rank and their number.
struct LauncherVariables {
  const char* rank;
  const char* size;
};

constexpr std::array kLaunchers = {
    LauncherVariables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    LauncherVariables{"PMI_RANK", "PMI_SIZE"},
    LauncherVariables{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
};

std::optional<int> whole_number(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const auto number = parse_integer(text);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

}  // namespace

std::optional<MpiLaunch> mpi_launch() {
  for (const LauncherVariables& variables : kLaunchers) {
    const auto rank = whole_number(variables.rank);
    const auto size = whole_number(variables.size);
    if (rank && size && *size > 1) return MpiLaunch{*rank, *size};
  }
  return std::nullopt;
}

}  // namespace graspmap
