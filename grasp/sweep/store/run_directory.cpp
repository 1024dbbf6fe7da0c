#include "grasp/sweep/store/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/process/environment.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

namespace fs = std::filesystem;
namespace {

/// The store first, with the journal that SQLite keeps beside it while it writes: what is left when
/// a removal is cut short is no run any more.
constexpr std::array kAllFiles = {run_files::kStore, "run.sqlite-journal", run_files::kSummary,
                                  run_files::kMap,   run_files::kTrials,   run_files::kNpz,
                                  run_files::kConfig};

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

}  // namespace

RunFolderState run_folder_state(const fs::path& folder) {
  if (is_there(folder) && !fs::is_directory(folder)) {
    throw config_error({folder.string()}, "", "is a file; must be a folder");
  }
  if (is_there(folder / run_files::kStore)) return RunFolderState::kStored;
  const bool any = std::any_of(kAllFiles.begin(), kAllFiles.end(),
                               [&](const char* file) { return is_there(folder / file); });
  return any ? RunFolderState::kRemains : RunFolderState::kEmpty;
}

fs::path store_file(const fs::path& run) {
  const auto fail = [&](const std::string& problem, FaultKind kind = FaultKind::kOther) {
    throw config_error(
        {run.string()}, "",
        fmt::format("{}; must be the folder of a run, as graspmap run writes it", problem), kind);
  };
  if (!is_there(run)) fail("there is no such folder", FaultKind::kNoFile);
  if (!fs::is_directory(run)) {
    const std::string_view kind = file_kind_of(run);
    const bool may_be_store =
        kind.empty() || kind == "an empty file" || kind.starts_with("an SQLite database");
    if (!may_be_store) fail(fmt::format("is {}", kind));
    return run;
  }
  if (!is_there(run / run_files::kStore)) fail(fmt::format("has no {}", run_files::kStore));
  return run / run_files::kStore;
}

fs::path run_of(const fs::path& store_file) {
  const bool in_run_folder =
      store_file.filename() == run_files::kStore && store_file.has_parent_path();
  return in_run_folder ? store_file.parent_path() : store_file;
}

std::string run_title(const std::string& name, const std::filesystem::path& store_file) {
  if (store_file.empty()) return name;
  const std::string folder =
      std::filesystem::absolute(store_file).parent_path().filename().string();
  return folder == name ? name : fmt::format("{} ({})", name, printable(folder));
}

void create_run_folder(const fs::path& folder) {
  create_folder(folder);
  for (const char* file : {run_files::kStore, run_files::kConfig}) check_writable(folder / file);
}

NewRunFolder::NewRunFolder(const fs::path& folder) : folder_(folder), is_new_(!is_there(folder)) {
  create_run_folder(folder);
}

NewRunFolder::~NewRunFolder() {
  std::error_code not_empty;
  if (is_new_) fs::remove(folder_, not_empty);
}

void remove_run(const fs::path& folder) {
  const Unbroken moment;
  for (const char* file : kAllFiles) remove_file(folder / file);
}

void write_run_files(const fs::path& folder, const RunFiles& files) {
  StagedFile config(folder / run_files::kConfig, files.config_toml);
  StagedFile map(folder / run_files::kMap, files.map_csv);
  StagedFile summary(folder / run_files::kSummary, files.summary_json);
  const Unbroken moment;
  // The summary of an older state goes first: it must not stand beside files that are not its own.
  remove_file(folder / run_files::kSummary);
  config.commit();
  map.commit();
  summary.commit();
}

namespace {

[[noreturn]] void fail(const fs::path& file) {
  throw IoError(fmt::format("{}: cannot be locked: {}", file.string(), std::strerror(errno)));
}

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
  throw config_error({folder.string()}, "",
                     fmt::format("{} is writing this run; wait for it, or end it first",
                                 owner.empty() ? "another process" : owner));
}

void write_owner(const fs::path& file, int fd) {
  const std::string text = fmt::format("process {} on host {}", ::getpid(), host_name());
  if (::ftruncate(fd, 0) != 0) fail(file);
  if (::pwrite(fd, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) fail(file);
}

}  // namespace

RunLock::RunLock(const fs::path& folder) : file_(folder / run_files::kLock) {
  const Unbroken moment;
  while (true) {
    open_ = FileDescriptor(file_, O_RDWR | O_CREAT);
    if (!open_.is_open()) fail(file_);
    if (::flock(open_.number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) refuse(folder, read_owner(open_.number()));
      fail(file_);
    }
    if (is_still(file_, open_.number())) break;
  }
  locked_.emplace(file_);
  crashed_owner_ = read_owner(open_.number());
  write_owner(file_, open_.number());
}

}  // namespace graspmap
