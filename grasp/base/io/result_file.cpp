#include "grasp/base/io/result_file.hpp"

namespace graspmap {

std::string ResultFile::text() const {
  if (const auto* object = std::get_if<Object>(&content)) return json_document(*object);
  if (const auto* table = std::get_if<Table>(&content)) return csv_text(*table);
  return std::get<std::string>(content);
}

}  // namespace graspmap
