#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grasp/base/io/search_file.hpp"
#include "grasp/decide/sequence/lying_pose.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// What became of a trial of a program, phase by phase.
struct ProgramTrial {
  std::vector<LyingPose> poses;  ///< at the start and at the end of each phase that ended
  std::vector<double> times_s;   ///< of them
  EndReason end = EndReason::kFailed;

  [[nodiscard]] bool is_lost() const {
    return end != EndReason::kStopped && end != EndReason::kClosed;
  }
  [[nodiscard]] bool is_failed() const {
    return end == EndReason::kFailed || end == EndReason::kTooLong;
  }
};

/// Simulates trials of programs, shows how far they are, and keeps them in a file, from which an
/// interrupted search continues. Those that are shown as done are on the disk.
class KeptTrials {
 public:
  /// A pure function of the trial's number.
  using Simulate = std::function<ProgramTrial(std::int64_t number, Workspace& workspace,
                                              SimulationResult& result)>;

  /// Without a file.
  explicit KeptTrials(ShowTrials show = {}) : show_(std::move(show)) {}
  /// With one. Trials in it that are of another `search`, a text that has all that they depend on,
  /// are removed. Throws IoError, ConfigError.
  KeptTrials(const std::filesystem::path& file, const std::string& search, ShowTrials show);

  /// The trials that the file had.
  [[nodiscard]] std::int64_t found() const { return found_; }
  /// Whether it had those of another search.
  [[nodiscard]] bool has_replaced() const { return file_ && file_->has_replaced(); }

  /// Trials of a program, in the order of their numbers: those that are not there are simulated.
  /// `program` identifies the program. Throws AnalysisStopped.
  std::vector<ProgramTrial> run(const std::string& program, std::span<const std::int64_t> numbers,
                                int threads, const Simulate& simulate) const;

 private:
  std::unique_ptr<const SearchFile> file_;
  ShowTrials show_;
  std::int64_t found_ = 0;
};

}  // namespace graspmap
