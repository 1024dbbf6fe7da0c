#pragma once

#include <sys/types.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/process/orderly_end.hpp"

namespace graspmap {

/// An open file. The functions return false when the machine could not do it, and leave the reason
/// in errno.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// Opens a file with the flags of open(2), O_CLOEXEC added. See `is_open`.
  FileDescriptor(const std::filesystem::path& file, int flags);
  /// Opens a new file without a name on the disk of a folder, to write and read: it is gone with
  /// the process, however that ends. See `is_open`.
  static FileDescriptor unnamed_in(const std::filesystem::path& folder);
  /// One more for what is open by a number. See `is_open`.
  static FileDescriptor copy_of(int number);
  /// The two ends of a new pipe, to read and to write. See `is_open`.
  static std::array<FileDescriptor, 2> pipe();
  /// Closes it without looking at errors: `close` does look.
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }

  /// Writes all bytes at the file's position.
  [[nodiscard]] bool write_all(std::string_view bytes) const;
  /// Moves the position, in bytes from the file's start.
  [[nodiscard]] bool seek(off_t position) const;
  /// Waits until what was written is on the disk.
  [[nodiscard]] bool sync() const;
  [[nodiscard]] bool close();
  /// Leaves the open file, by its number, to the caller.
  [[nodiscard]] int release();

 private:
  int number_ = -1;
};

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

/// Makes a folder, and those that it lies in, unless it is there. Throws ConfigError where a file
/// is in its place, IoError.
void create_folder(const std::filesystem::path& folder);

/// Removes a file that may be there. Throws IoError.
void remove_file(const std::filesystem::path& file);

/// Checks that `file` can be written, and leaves no trace. Throws IoError.
void check_writable(const std::filesystem::path& file);

/// A folder for files in the making. It is removed at the end, with all that is in it, also when a
/// signal ends the process.
class WorkFolder {
 public:
  /// Makes it, empty: what has its name is removed. The folder that it lies in must be there.
  /// Throws IoError.
  explicit WorkFolder(std::filesystem::path path);
  /// One with a name of its own where the system keeps temporary files. Throws IoError.
  static WorkFolder with_own_name();

  [[nodiscard]] const std::filesystem::path& path() const { return temporary_.path(); }

  /// Gives every file its place in `folder`, which is made if need be. Throws IoError.
  void move_files_to(const std::filesystem::path& folder) const;

 private:
  explicit WorkFolder(TemporaryPath temporary);

  TemporaryPath temporary_;
};

}  // namespace graspmap
