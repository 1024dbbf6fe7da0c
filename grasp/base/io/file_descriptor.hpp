#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

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

}  // namespace graspmap
