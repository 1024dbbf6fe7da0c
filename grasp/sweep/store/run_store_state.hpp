#pragma once

#include <cstdint>
#include <optional>

#include "grasp/base/io/sqlite.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_run.hpp"

namespace graspmap {

/// An open store: what RunStore and TrialReader share, and others need not see.
struct RunStore::State {
  sqlite::Database database;
  StoredRun run;
  std::optional<std::int64_t> session;  ///< who adds trials

  /// Puts another configuration in place of the one that was there, in the file too.
  void replace(SweepConfig config);
};

}  // namespace graspmap
