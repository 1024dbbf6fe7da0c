#include "grasp/results/trials_csv.hpp"

#include "grasp/results/trial_table.hpp"

namespace graspmap {

TrialsCsv::TrialsCsv(const std::filesystem::path& file) : writer_(file) {
  writer_.write(trials_csv_header());
}

void TrialsCsv::add(const TrialRow& row) {
  line_.clear();
  append_trial_csv(line_, row);
  writer_.write(line_);
}

}  // namespace graspmap
