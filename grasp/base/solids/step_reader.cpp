#include "grasp/base/solids/step_reader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/printable_text.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModule = "graspmap_step.so";

/// The module's function. It stays loaded. Throws std::runtime_error when it cannot be loaded.
ReadStep loaded_module() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  // PREFIX/lib/graspmap beside PREFIX/bin, or the folders of a build.
  for (const fs::path& place :
       {folder.parent_path() / "lib" / "graspmap", folder, folder.parent_path() / "grasp"}) {
    const fs::path module = place / kModule;
    if (!fs::exists(module, error)) continue;
    void* handle = ::dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* function = handle == nullptr ? nullptr : ::dlsym(handle, kReadStep);
    if (function != nullptr) return reinterpret_cast<ReadStep>(function);
    throw std::runtime_error(
        fmt::format("OpenCASCADE cannot be loaded: {}", printable(::dlerror())));
  }
  throw std::runtime_error(
      "this graspmap reads no STEP files; install the package graspmap-step, or libocct-data-"
      "exchange-dev and libocct-modeling-algorithms-dev and build graspmap again");
}

}  // namespace

bool ends_without_crash(const std::function<void()>& work, std::uint64_t most_cpu_s) {
  const pid_t child = ::fork();
  if (child < 0) return true;
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    const rlimit cpu{most_cpu_s, most_cpu_s};
    ::setrlimit(RLIMIT_CPU, &cpu);
    try {
      work();
    } catch (...) {  // NOLINT(bugprone-empty-catch): reported when it happens again
    }
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status);
}

void load_step_module(const std::string& file) {
  try {
    loaded_module();
  } catch (const std::runtime_error& error) {
    throw config_error({file}, "", error.what());
  }
}

std::unique_ptr<SolidBody> read_step(const StepRequest& request) {
  try {
    return std::unique_ptr<SolidBody>(loaded_module()(request));
  } catch (const std::runtime_error& error) {
    throw config_error({request.file}, "", error.what());
  }
}

}  // namespace graspmap
