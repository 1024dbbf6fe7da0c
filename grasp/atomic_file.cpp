#include "grasp/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace graspmap {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& file, int error_number) {
  throw IoError(
      fmt::format("{}: cannot be written: {}", file.string(), std::strerror(error_number)));
}

/// An open file descriptor. Closing it in the destructor ignores errors: `close` does not.
class Descriptor {
 public:
  Descriptor(const fs::path& file, int flags)
      : fd_(::open(file.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] bool is_open() const { return fd_ >= 0; }

  [[nodiscard]] bool write_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

  [[nodiscard]] bool sync() const { return ::fsync(fd_) == 0; }
  [[nodiscard]] bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// Writes a new file to the disk; the error number of what went wrong, or 0. Removes what it began.
int write_new_file(const fs::path& file, std::string_view text) {
  ::unlink(file.c_str());  // left over from a process of the same number
  Descriptor descriptor(file, O_WRONLY | O_CREAT | O_EXCL);
  if (!descriptor.is_open()) return errno;
  if (descriptor.write_all(text) && descriptor.sync() && descriptor.close()) return 0;
  const int error_number = errno;
  ::unlink(file.c_str());
  return error_number;
}

/// The file that a path means: links are followed.
fs::path resolved(const fs::path& file) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(file, error);
  return error ? file : canonical;
}

/// A name beside `file` that no other process uses.
fs::path temporary_name(const fs::path& file) {
  return file.parent_path() / fmt::format(".{}.{}.tmp", file.filename().string(), ::getpid());
}

fs::file_type type_of(const fs::path& file) {
  std::error_code error;
  return fs::status(file, error).type();
}

/// True for what cannot be replaced by a file of the same name: a pipe, a terminal, /dev/null.
bool is_special(fs::file_type type) {
  return type == fs::file_type::fifo || type == fs::file_type::character ||
         type == fs::file_type::socket || type == fs::file_type::block;
}

}  // namespace

StagedFile::StagedFile(const fs::path& file, std::string_view text) : target_(resolved(file)) {
  const fs::file_type type = type_of(target_);
  if (type == fs::file_type::directory) fail(file, EISDIR);
  if (is_special(type)) {
    direct_text_ = text;
    return;
  }
  const fs::path temporary = temporary_name(target_);
  if (const int error_number = write_new_file(temporary, text)) fail(file, error_number);
  temporary_ = temporary;
}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      direct_text_(std::move(other.direct_text_)) {}

StagedFile::~StagedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void StagedFile::commit() {
  if (temporary_.empty()) {
    Descriptor descriptor(target_, O_WRONLY);
    if (!descriptor.is_open() || !descriptor.write_all(direct_text_)) fail(target_, errno);
    return;
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(target_, errno);
  temporary_.clear();
}

void write_file_atomically(const fs::path& file, std::string_view text) {
  StagedFile(file, text).commit();
}

void check_writable(const fs::path& file) { const StagedFile probe(file, ""); }

}  // namespace graspmap
