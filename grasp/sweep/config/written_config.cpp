#include "grasp/sweep/config/written_config.hpp"

#include <sstream>

#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/io/toml_override.hpp"

namespace graspmap {

std::string read_config_text(const std::filesystem::path& file) { return read_toml_text(file); }

std::string written_toml(std::string_view text, const std::string& source,
                         const std::vector<std::string>& overrides) {
  toml::table document = parse_toml(text, source);
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  std::ostringstream written;
  written << document << "\n";
  return written.str();
}

}  // namespace graspmap
