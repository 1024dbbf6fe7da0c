#include "grasp/sweep/store/run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/process/host.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& file) {
  throw IoError(fmt::format("{}: cannot be locked: {}", file.string(), std::strerror(errno)));
}

std::string owner_text() { return fmt::format("process {} on host {}", ::getpid(), host_name()); }

/// What the file says of its owner.
std::string read_owner(int fd) {
  std::array<char, 512> text{};
  const ssize_t size = ::pread(fd, text.data(), text.size() - 1, 0);
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "";
}

/// True when the file that was opened is the one that has the name: its owner may have removed it
/// meanwhile.
bool is_still(const fs::path& file, int fd) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(fd, &opened) == 0 && ::stat(file.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& owner) {
  throw ConfigError(fmt::format("{}: {} is writing this run; wait for it, or end it first",
                                folder.string(), owner.empty() ? "another process" : owner));
}

void write_owner(const fs::path& file, int fd) {
  const std::string text = owner_text();
  if (::ftruncate(fd, 0) != 0) fail(file);
  if (::pwrite(fd, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) fail(file);
}

}  // namespace

RunLock::RunLock(const fs::path& folder) : file_(folder / run_files::kLock) {
  const Unbroken moment;
  while (true) {
    fd_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) fail(file_);
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      const int error_number = errno;
      const std::string owner = read_owner(fd_);
      ::close(fd_);
      errno = error_number;
      if (error_number == EWOULDBLOCK) refuse(folder, owner);
      fail(file_);
    }
    if (is_still(file_, fd_)) break;
    ::close(fd_);
  }
  locked_.emplace(file_);
  crashed_owner_ = read_owner(fd_);
  write_owner(file_, fd_);
}

RunLock::~RunLock() {
  // Removed while it is locked: nobody can have locked this very file in between.
  locked_.reset();
  ::close(fd_);
}

}  // namespace graspmap
