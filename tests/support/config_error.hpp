#pragma once

#include <string>

#include "grasp/base/io/errors.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap::testing {

/// The message of the ConfigError that `read` throws; "(no error)" when it throws none.
template <typename Read>
std::string config_error(const Read& read) {
  try {
    read();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "(no error)";
}

/// The same when `read` reads a file of this name and text: "NAME:LINE: ...", without the folder.
template <typename Read>
std::string config_error_of_file(const std::string& name, const std::string& text,
                                 const Read& read) {
  const TemporaryFolder folder;
  const std::string message = config_error([&] { read(folder.write(name, text)); });
  const std::string prefix = folder.path().string() + "/";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

}  // namespace graspmap::testing
