#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grasp/base/io/search_file.hpp"
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

/// The processes that search together: each searches as if it were alone, and simulates only its
/// share of the grasps.
struct SearchRanks {
  int rank = 0;
  int size = 1;
  /// The bytes of each rank, by rank: all must call it, with equally many.
  std::function<std::vector<std::vector<std::byte>>(std::span<const std::byte> bytes)> all_gather =
      {};
};

/// Simulates grasps of many designs at once, shows how far they are, and keeps them in a file, from
/// which an interrupted search continues. Those that are shown as done are on the disk.
class KeptGrasps {
 public:
  /// Without a file.
  explicit KeptGrasps(ShowTrials show = {}) : show_(std::move(show)) {}
  /// With one. Grasps in it that are of another `search`, a text that has all that they depend on,
  /// are removed. Throws IoError, ConfigError.
  KeptGrasps(const std::filesystem::path& file, const std::string& search, ShowTrials show);

  /// Shares the work with other processes; the first one may have the file.
  void share_with(SearchRanks ranks) { ranks_ = std::move(ranks); }

  /// The grasps that the file had.
  [[nodiscard]] std::int64_t found() const { return found_; }
  /// Whether it had those of another search.
  [[nodiscard]] bool has_replaced() const { return file_ && file_->has_replaced(); }
  /// The grasps that were wanted up to now, those of the file among them.
  [[nodiscard]] std::int64_t used() const { return used_; }

  /// Sets the ends of all jobs: the same bits with any number of threads and processes, and from a
  /// file. Throws AnalysisStopped.
  void run(std::span<GraspJob> jobs, int threads);

 private:
  void load(GraspJob& job) const;
  void store(std::span<GraspJob* const> jobs) const;
  /// Gives all ranks the ends of jobs, of which each has those of every size-th from its own on, or
  /// the first rank has all. False when a rank was stopped.
  bool exchange(std::span<GraspJob* const> jobs, bool first_has_all, bool is_done) const;
  void share_loaded(std::span<GraspJob> jobs) const;
  void run_shared(std::span<GraspJob* const> missing, int threads) const;

  std::unique_ptr<const SearchFile> file_;
  ShowTrials show_;
  SearchRanks ranks_;
  std::int64_t found_ = 0;
  std::int64_t used_ = 0;
};

}  // namespace graspmap
