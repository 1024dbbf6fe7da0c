#pragma once

#include <filesystem>
#include <string>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "grasp/sweep/trials/uncertain_columns.hpp"

namespace graspmap {

/// The first line of trials.csv: index,cell_x,cell_y,cell_theta,x_mm,y_mm,theta_rad,mu_jaw,
/// mu_support,outcome,end_time_s,part_x_mm,part_y_mm,part_theta_rad,jaw_right_x_mm,jaw_left_x_mm,
/// steps,worst_residual; then the keys of uncertain numbers.
std::string trials_csv_header(const UncertainColumns& uncertain = {});

/// Appends a trial's line to `text`. Numbers have the fewest digits that read back the same double.
void append_trial_csv(std::string& text, const TrialRow& row,
                      const UncertainColumns& uncertain = {});

/// Writes trials.csv, completely or not at all: see AtomicWriter. Rows are given one by one; the
/// memory used does not depend on their number. Throws IoError.
class TrialsCsv {
 public:
  explicit TrialsCsv(const std::filesystem::path& file, const UncertainColumns& uncertain = {});

  void add(const TrialRow& row);

  /// Gives the file its final name. Without it no file is left.
  void commit() { writer_.commit(); }

 private:
  AtomicWriter writer_;
  UncertainColumns uncertain_;
  std::string line_;
};

}  // namespace graspmap
