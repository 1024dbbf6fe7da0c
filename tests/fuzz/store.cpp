#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "tests/fuzz/readers.hpp"

namespace graspmap::fuzz {

void read_store(std::string_view bytes) {
  const std::filesystem::path file = input_file("run.sqlite", bytes);
  for (const char* beside : {"-wal", "-shm", "-journal"}) {
    std::filesystem::remove(file.string() + beside);
  }
  try {
    const RunStore store = RunStore::open(file, RunStore::Access::kRead);
    static_cast<void>(store.stored());
    static_cast<void>(store.processes());
    static_cast<void>(store.row(0));
    store.for_each([](const TrialRow&) {});
  } catch (const IoError& error) {
    throw ConfigError(error.what());  // a damaged file may look like a machine that fails
  }
}

}  // namespace graspmap::fuzz
