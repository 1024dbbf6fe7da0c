#include "grasp/base/io/file_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "grasp/base/process/orderly_end.hpp"

namespace graspmap {

FileDescriptor::FileDescriptor(const std::filesystem::path& file, int flags)
    : number_(::open(file.c_str(), flags | O_CLOEXEC, 0666)) {}

FileDescriptor FileDescriptor::unnamed_in(const std::filesystem::path& folder) {
  std::string pattern = (folder / ".graspmap-XXXXXX").string();
  FileDescriptor descriptor;
  const Unbroken moment;
  descriptor.number_ = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (descriptor.is_open()) ::unlink(pattern.c_str());
  return descriptor;
}

FileDescriptor::~FileDescriptor() {
  if (is_open()) ::close(number_);
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

bool FileDescriptor::write_all(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(number_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool FileDescriptor::seek(off_t position) const {
  return ::lseek(number_, position, SEEK_SET) == position;
}

bool FileDescriptor::sync() const { return ::fsync(number_) == 0; }

bool FileDescriptor::close() { return ::close(release()) == 0; }

int FileDescriptor::release() { return std::exchange(number_, -1); }

}  // namespace graspmap
