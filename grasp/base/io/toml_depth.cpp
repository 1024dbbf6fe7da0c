#include "grasp/base/io/toml_depth.hpp"

#include <algorithm>

namespace graspmap {
namespace {

/// How many bytes of a text are a string with its quotes, `"..."`, `'...'`, `"""..."""` or
/// `'''...'''`; the text begins with a quote.
std::size_t length_of_string(std::string_view text) {
  const char quote = text.front();
  const bool has_lines = text.size() >= 3 && text[1] == quote && text[2] == quote;
  const std::string_view end = text.substr(0, has_lines ? 3 : 1);
  for (std::size_t at = end.size(); at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (text.substr(at).starts_with(end)) {
      return at + end.size();
    } else if (text[at] == '\n' && !has_lines) {
      return at;  // not closed: a syntax error
    }
  }
  return text.size();
}

}  // namespace

std::optional<int> line_of_long_key(std::string_view text) {
  constexpr std::string_view kEndsOfKeys = ",=[]{}\n";
  int line = 1;
  int words = 1;
  while (!text.empty()) {
    const char first = text.front();
    std::size_t length = 1;
    if (first == '"' || first == '\'') length = length_of_string(text);
    if (first == '#') length = std::min(text.find('\n'), text.size());
    if (first == '.' && ++words > kMostKeyWords) return line;
    if (kEndsOfKeys.find(first) != std::string_view::npos) words = 1;
    const std::string_view passed = text.substr(0, length);
    line += static_cast<int>(std::count(passed.begin(), passed.end(), '\n'));
    text.remove_prefix(passed.size());
  }
  return std::nullopt;
}

}  // namespace graspmap
