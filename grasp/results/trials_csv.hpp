#pragma once

#include <filesystem>
#include <string>

#include "grasp/io/atomic_file.hpp"
#include "grasp/trials/trial.hpp"

namespace graspmap {

/// Writes trials.csv, completely or not at all: see AtomicWriter. Rows are given one by one; the
/// memory used does not depend on their number. Throws IoError.
class TrialsCsv {
 public:
  explicit TrialsCsv(const std::filesystem::path& file);

  void add(const TrialRow& row);

  /// Gives the file its final name. Without it no file is left.
  void commit() { writer_.commit(); }

 private:
  AtomicWriter writer_;
  std::string line_;
};

}  // namespace graspmap
