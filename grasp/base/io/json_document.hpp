#pragma once

#include <string>

#include "grasp/base/io/json.hpp"

namespace graspmap {

/// Writes the fields with which each JSON document of the programs begins: graspmap_version and
/// git_commit, of the program that writes it.
void write_head(JsonWriter& json);

/// A JSON document: an object with the head, and then the fields that `write_fields(json)` writes.
template <typename F>
std::string json_document(const F& write_fields) {
  JsonWriter json;
  json.object([&] {
    write_head(json);
    write_fields(json);
  });
  return json.text();
}

}  // namespace graspmap
