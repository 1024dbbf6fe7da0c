#include "tests/fuzz/readers.hpp"

#include <fstream>
#include <stdexcept>

#include "grasp/base/io/errors.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap::fuzz {

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all = {
      {"sweep", read_sweep},
      {"adaptive", read_adaptive},
      {"overrides", read_overrides},
      {"planar_scene", read_planar_scene},
      {"spatial_scene", read_spatial_scene},
      {"experiment", read_experiment},
      {"facts", read_facts},
      {"trials", read_trials},
      {"map", read_map},
      {"pushes", read_pushes},
      {"detections", read_detections},
      {"frame", read_frame},
      {"posterior", read_posterior},
      {"dxf", read_dxf},
      {"svg", read_svg},
      {"stl", read_stl},
      {"store", read_store},
  };
  return all;
}

bool accepts(const Reader& reader, std::string_view bytes) {
  try {
    reader.read(bytes);
  } catch (const ConfigError& error) {
    expect(!std::string_view(error.what()).empty(), "refused without words");
    return false;
  }
  return true;
}

void expect(bool holds, const char* problem) {
  if (!holds) throw std::logic_error(problem);
}

void must_accept(const std::function<void()>& work) {
  try {
    work();
  } catch (const ConfigError& error) {
    throw std::logic_error(std::string("refused although it was accepted before: ") + error.what());
  }
}

std::filesystem::path input_file(const std::string& name, std::string_view bytes) {
  static const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / name;
  std::ofstream stream(file, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
  return file;
}

}  // namespace graspmap::fuzz
