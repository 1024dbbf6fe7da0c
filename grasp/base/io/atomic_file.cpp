#include "grasp/base/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "grasp/base/io/errors.hpp"
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

FileDescriptor FileDescriptor::copy_of(int number) {
  FileDescriptor descriptor;
  descriptor.number_ = ::fcntl(number, F_DUPFD_CLOEXEC, 0);
  return descriptor;
}

std::array<FileDescriptor, 2> FileDescriptor::pipe() {
  std::array<int, 2> numbers{-1, -1};
  static_cast<void>(::pipe2(numbers.data(), O_CLOEXEC));  // leaves them as they are when it fails
  std::array<FileDescriptor, 2> ends;
  for (std::size_t k = 0; k < ends.size(); ++k) ends[k].number_ = numbers[k];
  return ends;
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

namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

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

/// A standard stream as the process has it, also where it is closed; else the file.
FileDescriptor opened_directly(const fs::path& file) {
  if (file == "/dev/stdout") return FileDescriptor::copy_of(STDOUT_FILENO);
  if (file == "/dev/stderr") return FileDescriptor::copy_of(STDERR_FILENO);
  return {file, O_WRONLY | O_APPEND};
}

/// True for what is written as it is. A standard stream is so even when it goes to a regular file:
/// `>>` must not replace the file.
bool is_written_directly(const fs::path& file) {
  return file == "/dev/stdout" || file == "/dev/stderr" || is_special(type_of(file));
}

}  // namespace

void fail_to_write(const fs::path& file, int error_number) {
  throw IoError(
      fmt::format("{}: cannot be written: {}", file.string(), std::strerror(error_number)));
}

StagedName::StagedName(const fs::path& file)
    : target_(resolved(file)), temporary_(temporary_name(target_)) {
  const fs::file_type type = type_of(target_);
  if (type == fs::file_type::directory) fail_to_write(file, EISDIR);
  if (is_special(type)) {
    throw IoError(fmt::format("{}: cannot be written: must be a regular file", file.string()));
  }
  ::unlink(temporary().c_str());  // left over from a process of the same number
}

void StagedName::commit() {
  const Unbroken moment;
  if (::rename(temporary().c_str(), target_.c_str()) != 0) fail_to_write(target_, errno);
  temporary_.keep();
}

AtomicWriter::AtomicWriter(const fs::path& file) : file_(file) {
  if (is_written_directly(file)) return;
  const Unbroken moment;
  staged_.emplace(file);
  descriptor_ = FileDescriptor(staged_->temporary(), O_WRONLY | O_CREAT | O_EXCL);
  if (!descriptor_.is_open()) fail_to_write(file_, errno);
}

void AtomicWriter::write(std::string_view text) {
  if (buffer_.size() + text.size() > kBufferSize) flush();
  if (text.size() > kBufferSize) {
    write_now(text);
  } else {
    buffer_.append(text);
  }
}

void AtomicWriter::flush() {
  write_now(buffer_);
  buffer_.clear();
}

void AtomicWriter::write_now(std::string_view text) {
  // A pipe is opened no sooner than there is something to say: opening waits for a reader.
  if (!descriptor_.is_open()) descriptor_ = opened_directly(file_);
  if (!descriptor_.is_open() || !descriptor_.write_all(text)) fail_to_write(file_, errno);
}

void AtomicWriter::sync() {
  flush();
  if (!is_direct() && !descriptor_.sync()) fail_to_write(file_, errno);
}

void AtomicWriter::commit() {
  sync();
  if (!descriptor_.close()) fail_to_write(file_, errno);
  if (staged_) staged_->commit();
}

StagedFile::StagedFile(const fs::path& file, std::string_view text) : writer_(file) {
  if (writer_.is_direct()) {
    direct_text_ = text;
  } else {
    writer_.write(text);
    writer_.sync();
  }
}

void StagedFile::commit() {
  writer_.write(direct_text_);
  writer_.commit();
}

void write_file_atomically(const fs::path& file, std::string_view text) {
  StagedFile(file, text).commit();
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && fs::is_directory(folder)) return;
  if (!error || error == std::errc::not_a_directory || error == std::errc::file_exists) {
    throw config_error({folder.string()}, "", "cannot be created: there is a file in its place");
  }
  throw IoError(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) {
    throw IoError(fmt::format("{}: cannot be removed: {}", file.string(), error.message()));
  }
}

void check_writable(const fs::path& file) { const AtomicWriter probe(file); }

WorkFolder::WorkFolder(TemporaryPath temporary) : temporary_(std::move(temporary)) {}

WorkFolder::WorkFolder(fs::path path) : temporary_(std::move(path)) {
  const Unbroken moment;
  std::error_code error;
  fs::remove_all(this->path(), error);
  fs::create_directory(this->path(), error);
  if (error) throw IoError(fmt::format("{}: {}", this->path().string(), error.message()));
}

WorkFolder WorkFolder::with_own_name() {
  const Unbroken moment;
  std::string name = (fs::temp_directory_path() / "graspmap-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw IoError(fmt::format("{}: {}", name, std::strerror(errno)));
  }
  return WorkFolder(TemporaryPath(name));
}

void WorkFolder::move_files_to(const fs::path& folder) const {
  const Unbroken moment;
  std::error_code error;
  fs::create_directory(folder, error);
  for (const fs::directory_entry& file : fs::directory_iterator(path())) {
    if (!error) fs::rename(file.path(), folder / file.path().filename(), error);
  }
  if (error) throw IoError(fmt::format("{}: {}", folder.string(), error.message()));
  note_written();
}

}  // namespace graspmap
