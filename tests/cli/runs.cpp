#include "tests/cli/runs.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

namespace graspmap::testing {

std::vector<std::string> run_of(int trials_per_cell, const std::vector<std::string>& more) {
  return join(
      {"run", lock_piece(), "--no-plots", "--set", "placement.x_cells=3", "--set",
       "placement.y_cells=3", "--set", "sweep.trials_per_cell=" + std::to_string(trials_per_cell)},
      more);
}

std::string digest(Program& program, const std::string& folder) {
  const ProgramResult result = program.run({"hash", folder});
  CHECK(result.exit_code == 0);
  CHECK(result.out.size() == 33);
  return result.out;
}

void wait_for_trials(const Program& program, const std::string& folder) {
  for (int i = 0; i < 600; ++i) {
    Program reader;
    const ProgramResult result = reader.run({"hash", program.path(folder).string()});
    if (result.exit_code == 0 && result.err.find(" 0 of ") == std::string::npos) return;
    sleep(0.05);
  }
  FAIL("no trials were stored in time");
}

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

}  // namespace graspmap::testing
