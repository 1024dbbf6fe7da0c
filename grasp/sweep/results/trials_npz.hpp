#pragma once

#include <vector>

#include "grasp/base/io/npz.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/uncertain_columns.hpp"

namespace graspmap {

/// Writes trials.npz: an array `index`, one for each column of visit_trial_columns,
/// `outcome_names`, so that outcome_names[outcome] are words, and one for each uncertain number,
/// named by its key. Rows are given one by one; the memory
/// used does not depend on their number. Throws IoError.
class TrialsNpz {
 public:
  explicit TrialsNpz(const std::filesystem::path& file, const UncertainColumns& uncertain = {});

  void add(const TrialRow& row);

  /// Gives the file its final name, see NpzWriter::commit. Without it no file is left.
  [[nodiscard]] bool commit(const std::atomic<int>& stop) { return npz_.commit(stop); }

 private:
  NpzWriter npz_;
  UncertainColumns uncertain_;
  std::vector<NpyArray*> columns_;  ///< `index`, then as visit_trial_columns
  std::vector<NpyArray*> drawn_;    ///< the uncertain numbers
};

}  // namespace graspmap
