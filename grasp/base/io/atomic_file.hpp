#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/file_descriptor.hpp"
#include "grasp/base/process/orderly_end.hpp"

namespace graspmap {

/// Throws IoError "FILE: cannot be written: REASON", the reason being that of an errno value.
[[noreturn]] void fail_to_write(const std::filesystem::path& file, int error_number);

/// A temporary name beside a file, under which the new file is made. `commit` gives it its final
/// name; without it, what is under the temporary name is removed and the old file, if any, stays.
/// A target that is a link is followed.
class StagedName {
 public:
  /// Makes no file. Throws IoError when the target is a folder, or is nothing that a file can
  /// replace (a pipe, a device).
  explicit StagedName(const std::filesystem::path& file);

  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_.path(); }

  /// Renames the file, which has to be on the disk by now. Throws IoError.
  void commit();

 private:
  std::filesystem::path target_;
  TemporaryPath temporary_;
};

/// Writes a file of any size piece by piece, completely or not at all: the file is made under a
/// temporary name in its folder, and `commit` gives it its final name once it is on the disk.
/// Without `commit` the temporary file is removed and the old file, if any, stays. A target that is
/// a link is followed. /dev/stdout, /dev/stderr and what is no regular file (a pipe, a device) are
/// opened with the first piece, and written as they are. All functions throw IoError naming the
/// file and the reason.
class AtomicWriter {
 public:
  explicit AtomicWriter(const std::filesystem::path& file);

  void write(std::string_view text);
  /// Brings what was written to the disk.
  void sync();
  /// The end: `sync`, then the final name.
  void commit();

  /// True when the target is written as it is.
  [[nodiscard]] bool is_direct() const { return !staged_; }

 private:
  void flush();
  void write_now(std::string_view text);

  std::filesystem::path file_;
  std::optional<StagedName> staged_;  ///< none when the target is written as it is
  FileDescriptor descriptor_;
  std::string buffer_;
};

/// A file that is complete on the disk under a temporary name, and gets its final name with
/// `commit`: an AtomicWriter for a text that is there. What is no regular file is written by
/// `commit`.
class StagedFile {
 public:
  /// Writes `text` and flushes it to the disk. Throws IoError naming the file and the reason.
  StagedFile(const std::filesystem::path& file, std::string_view text);

  /// Gives the file its final name. Throws IoError.
  void commit();

 private:
  AtomicWriter writer_;
  std::string direct_text_;  ///< what `commit` writes into a target that is no regular file
};

/// Writes `text` to `file` completely or not at all (temporary name, fsync, rename). Throws
/// IoError.
void write_file_atomically(const std::filesystem::path& file, std::string_view text);

/// Makes a folder, and those that it lies in, unless it is there. Throws IoError.
void create_folder(const std::filesystem::path& folder);

/// Removes a file that may be there. Throws IoError.
void remove_file(const std::filesystem::path& file);

/// Checks that `file` can be written, and leaves no trace. Throws IoError.
void check_writable(const std::filesystem::path& file);

}  // namespace graspmap
