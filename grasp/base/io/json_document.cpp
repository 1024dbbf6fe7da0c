#include "grasp/base/io/json_document.hpp"

#include "grasp/base/process/version.hpp"

namespace graspmap {

void write_head(JsonWriter& json) {
  json.field("graspmap_version", version());
  json.field("git_commit", git_commit());
}

}  // namespace graspmap
