#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace graspmap {

/// The machine could not do what was asked (disk full, folder not writable). Exit code 1.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file that is complete on the disk under a temporary name in its folder, and gets its final
/// name with `commit`. Without `commit` the temporary file is removed and the old file, if any,
/// stays. A target that is a link is followed; one that is no regular file (a pipe, /dev/stdout) is
/// written by `commit` as it is.
class StagedFile {
 public:
  /// Writes `text` and flushes it to the disk. Throws IoError naming the file and the reason.
  StagedFile(const std::filesystem::path& file, std::string_view text);
  ~StagedFile();
  StagedFile(StagedFile&& other) noexcept;
  StagedFile& operator=(StagedFile&&) = delete;

  /// Gives the file its final name. Throws IoError.
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;  ///< empty when there is none (any more)
  std::string direct_text_;          ///< what `commit` writes into a target that is no regular file
};

/// Writes `text` to `file` completely or not at all (temporary name, fsync, rename). Throws
/// IoError.
void write_file_atomically(const std::filesystem::path& file, std::string_view text);

/// Checks that `file` can be written, and leaves no trace. Throws IoError.
void check_writable(const std::filesystem::path& file);

}  // namespace graspmap
