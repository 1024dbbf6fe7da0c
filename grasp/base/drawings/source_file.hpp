#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "grasp/base/io/errors.hpp"

namespace graspmap {

/// A drawing's file: its name for messages, and its text.
struct SourceFile {
  std::string name;
  std::string text;

  /// Throws ConfigError "FILE:LINE: TEXT" on one line; without a line when it is 0.
  [[noreturn]] void fail(int line, std::string_view text) const;
};

/// The bytes of a file. Throws ConfigError when it cannot be read.
std::string read_bytes(const std::filesystem::path& file);

/// Bytes as text in ASCII or UTF-8; a byte order mark is left out. Throws ConfigError when there
/// are none, or when they are in another encoding.
SourceFile source_of(std::string bytes, const std::filesystem::path& file);

/// A text of the file as UTF-8: what is no UTF-8 is taken as Latin-1; control characters become
/// '?'.
std::string cleaned(std::string_view text);

/// A word of the file in quotes, cleaned, and cut when it is long.
std::string in_quotes(std::string_view word);

}  // namespace graspmap
