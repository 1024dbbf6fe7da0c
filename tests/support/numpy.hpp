#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/support/file_text.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap::testing {

/// What numpy finds in an NPZ: for each array a line "name dtype shape value value ...", doubles as
/// their bits in hexadecimal. Throws with Python's words when it cannot be read, or when numpy is
/// missing.
inline std::string npz_dump(const std::filesystem::path& npz) {
  const TemporaryFolder folder;
  const std::filesystem::path dump = folder.path() / "dump";
  const std::filesystem::path errors = folder.path() / "errors";
  const std::string command = GRASPMAP_PYTHON " " + testing::source_dir() +
                              "/tests/support/dump_npz.py " + npz.string() + " > " + dump.string() +
                              " 2> " + errors.string();
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error(command + ": " + file_text(errors));
  return file_text(dump);
}

}  // namespace graspmap::testing
