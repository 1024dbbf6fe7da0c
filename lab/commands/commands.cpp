#include "lab/commands/commands.hpp"

#include "lab/spatial_scenes/spatial_scene_file.hpp"
#include "lab/validation/examples.hpp"

namespace graspmap {
namespace {

std::vector<AskedKey> keys_of_scene(const std::string& file) {
  if (file.empty()) return {};
  try {
    return keys_asked_by_scene(read_scene_document(file, {}));
  } catch (const std::exception&) {
    return {};  // a file that cannot be read has no keys
  }
}

std::vector<std::string> validation_ids() {
  std::vector<std::string> ids;
  for (const ValidationExample& example : kValidationExamples) ids.emplace_back(example.id);
  return ids;
}

}  // namespace

std::vector<Command> lab_commands() {
  return {
      {"simulate", "simulate a scene of bodies in the plane or in space and draw it",
       simulate_command, keys_of_scene},
      {"validate", "run the papers' examples and compare them with what is known", validate_command,
       nullptr, validation_ids},
      {"study-steppers", "compare the time-steppers on the trials of a sweep",
       study_steppers_command, keys_of_sweep},
  };
}

}  // namespace graspmap
