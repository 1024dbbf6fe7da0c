// A libFuzzer program for all readers: graspmap_fuzz --reader=NAME [libFuzzer's options]
// [FOLDER...]. scripts/fuzz runs it.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lab/stepper_study/sweep_steppers.hpp"
#include "tests/fuzz/readers.hpp"

namespace {

const graspmap::fuzz::Reader* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  graspmap::install_scene_steppers();
  constexpr const char* kOption = "--reader=";
  const char* name = "";
  for (int i = 1; i < *count; ++i) {
    const char* argument = (*arguments)[i];
    if (std::strncmp(argument, kOption, std::strlen(kOption)) == 0) {
      name = argument + std::strlen(kOption);
    }
  }
  for (const graspmap::fuzz::Reader& reader : graspmap::fuzz::readers()) {
    if (std::strcmp(reader.name, name) == 0) chosen = &reader;
  }
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "no reader '%s'; must be --reader= and one of", name);
  for (const auto& reader : graspmap::fuzz::readers()) std::fprintf(stderr, " %s", reader.name);
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  graspmap::fuzz::accepts(*chosen, {reinterpret_cast<const char*>(data), size});
  return 0;
}
