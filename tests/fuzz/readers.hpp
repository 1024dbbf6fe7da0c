#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Every reader of what a person writes or draws, fed with any bytes: for libFuzzer
/// (tests/fuzz/main.cpp) and for the test of what it found.

namespace graspmap::fuzz {

/// Reads bytes as one kind of file. What is accepted is written and read again, and the cheap part
/// of what comes next is done with it. Throws ConfigError when the bytes are refused; any other
/// exception is a bug.
struct Reader {
  const char* name;
  void (*read)(std::string_view bytes);
};

void read_sweep(std::string_view text);
void read_adaptive(std::string_view text);   ///< the keys of [sweep.adaptive]
void read_overrides(std::string_view text);  ///< --set, one in each line
void read_planar_scene(std::string_view text);
void read_spatial_scene(std::string_view text);  ///< also of links on joints
void read_experiment(std::string_view text);
void read_facts(std::string_view text);
void read_trials(std::string_view text);  ///< of `graspmap trial --trials`
void read_map(std::string_view text);     ///< map.csv
void read_pushes(std::string_view text);
void read_detections(std::string_view text);
void read_frame(std::string_view text);      ///< of `graspmap export --frame`
void read_posterior(std::string_view text);  ///< calibrate.json, or its table
void read_dxf(std::string_view text);
void read_svg(std::string_view text);
void read_stl(std::string_view bytes);
void read_store(std::string_view bytes);  ///< run.sqlite

/// All of them. The seeds of each are in scripts/fuzz.
const std::vector<Reader>& readers();

/// True when the reader accepts the bytes, false when it refuses them (ConfigError) with a message.
/// Throws what else the reader throws, and std::logic_error for a refusal without words.
bool accepts(const Reader& reader, std::string_view bytes);

// ---- For the readers ---------------------------------------------------------------------------

/// Throws std::logic_error(problem) unless `holds`.
void expect(bool holds, const char* problem);

/// Does what must not be refused any more: a ConfigError becomes a std::logic_error.
void must_accept(const std::function<void()>& work);

/// A file with these bytes in a folder of this process, which is removed at its end.
std::filesystem::path input_file(const std::string& name, std::string_view bytes);

}  // namespace graspmap::fuzz
