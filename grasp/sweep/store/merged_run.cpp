#include "grasp/sweep/store/merged_run.hpp"

#include <fmt/format.h>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/sweep/store/merge_stores.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

/// The journal that SQLite keeps beside a store while it writes.
fs::path journal(const fs::path& store) { return store.string() + "-journal"; }

/// A store that is being made in a run folder. Removed at the end when it has not become the run's.
class StoreInTheMaking {
 public:
  /// The name is always the same, so that what a killed process left is found and removed.
  explicit StoreInTheMaking(const fs::path& folder)
      : target_(folder / run_files::kStore),
        file_(folder / ".run.sqlite.merging"),
        journal_(journal(file())) {
    remove_file(file());
    remove_file(journal_.path());
  }

  [[nodiscard]] const fs::path& file() const { return file_.path(); }

  void commit() const {
    // Files made from another run's trials must not stand beside the new store.
    for (const char* file : {run_files::kSummary, run_files::kMap, run_files::kTrials}) {
      remove_file(target_.parent_path() / file);
    }
    // A journal that a killed process left would be taken for one of the new store.
    remove_file(journal(target_));
    std::error_code error;
    fs::rename(file(), target_, error);
    if (error) {
      throw IoError(fmt::format("{}: cannot be replaced: {}", target_.string(), error.message()));
    }
  }

 private:
  fs::path target_;
  TemporaryPath file_;
  TemporaryPath journal_;
};

}  // namespace

std::optional<RunTotals> merge_into_run(const fs::path& folder, const MergePlan& plan,
                                        TrialCounters& counters, const std::atomic<int>& stop) {
  const StoreInTheMaking making(folder);
  RunTotals totals(plan.config);
  {
    RunStore store = RunStore::create(making.file(), plan.config, {}, plan.engine);
    const auto count = [&](const TrialRow& row) {
      totals.add(row);
      counters.add(row.outcome);
    };
    merge_stores(plan, store, count, stop);
  }
  if (stop != 0) return std::nullopt;
  making.commit();
  return totals;
}

}  // namespace graspmap
