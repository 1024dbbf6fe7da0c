#include "grasp/sweep/config/toml_lines.hpp"

#include <fmt/format.h>

namespace graspmap {

std::string toml_value(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml_value(const Vec2& v) {
  return fmt::format("[{}, {}]", toml_value(v.x()), toml_value(v.y()));
}

std::string toml_value(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string toml_lines(const std::vector<TomlLine>& keys) {
  std::string text;
  for (const auto& [key, value] : keys) text += fmt::format("{} = {}\n", key, value);
  return text;
}

std::string toml_table(std::string_view header, const std::vector<TomlLine>& keys) {
  return fmt::format("\n{}\n{}", header, toml_lines(keys));
}

}  // namespace graspmap
