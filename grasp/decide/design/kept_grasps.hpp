#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/trials/sweep.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {

/// How a simulated grasp ended: its outcome, and the part's pose in the hand, x, y (mm), theta.
struct GraspEnd {
  Outcome outcome = Outcome::kFailed;
  std::array<double, 3> pose{};

  friend bool operator==(const GraspEnd&, const GraspEnd&) = default;
};

/// Grasps first, first + 1, ... of one kind that are wanted.
struct GraspJob {
  /// A pure function of the grasp's number.
  using Simulate =
      std::function<GraspEnd(std::int64_t number, Workspace& workspace, SimulationResult& result)>;
  std::string kind;  ///< all that its grasps depend on, besides what the whole search does
  std::int64_t first = 0;
  std::int64_t count = 0;
  Simulate simulate;
  std::vector<GraspEnd> ends = {};  ///< when they are simulated
};

/// Simulates grasps of many designs at once, shows how far they are, and keeps them in a file, from
/// which an interrupted search goes on. Those that are shown as done are on the disk.
class KeptGrasps {
 public:
  /// Without a file.
  explicit KeptGrasps(ShowTrials show = {}) : show_(std::move(show)) {}
  /// With one. Grasps in it that are of another `search`, a text that has all that they depend on,
  /// are removed. Throws IoError, ConfigError.
  KeptGrasps(const std::filesystem::path& file, const std::string& search, ShowTrials show);

  /// The grasps that the file had.
  [[nodiscard]] std::int64_t found() const { return found_; }
  /// Whether it had those of another search.
  [[nodiscard]] bool has_replaced() const { return has_replaced_; }
  /// The grasps that were wanted up to now, those of the file among them.
  [[nodiscard]] std::int64_t used() const { return used_; }

  /// Sets the ends of all jobs: the same bits with any number of threads, and from a file. Throws
  /// AnalysisStopped.
  void run(std::span<GraspJob> jobs, int threads);

 private:
  void load(GraspJob& job) const;
  void store(const GraspJob& job) const;

  std::unique_ptr<const sqlite::Database> database_;
  ShowTrials show_;
  std::int64_t found_ = 0;
  std::int64_t used_ = 0;
  bool has_replaced_ = false;
};

}  // namespace graspmap
