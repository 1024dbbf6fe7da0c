#include "grasp/base/io/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <numeric>
#include <utility>

namespace graspmap {
namespace {

/// End of the part that states the fault: at a "; " outside of a quoted value.
std::size_t end_of_what(std::string_view text) {
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '"') quoted = !quoted;
    if (!quoted && text.substr(k).starts_with("; ")) return k;
  }
  return text.size();
}

std::string sentences(const std::vector<ConfigFault>& faults) {
  std::string lines;
  for (const ConfigFault& fault : faults) lines += (lines.empty() ? "" : "\n") + fault.sentence();
  return lines;
}

}  // namespace

std::string InputPlace::text() const {
  return line > 0 ? fmt::format("{}:{}", source, line) : source;
}

ConfigFault ConfigFault::of(InputPlace place, std::string_view key, std::string_view text) {
  const std::size_t end = end_of_what(text);
  const std::string_view allowed = end == text.size() ? "" : text.substr(end + 2);
  return {std::move(place), std::string(key), std::string(text.substr(0, end)),
          std::string(allowed)};
}

std::string ConfigFault::sentence() const {
  std::string text = place.text();
  if (!key.empty()) text += (text.empty() ? "" : ": ") + key;
  if (!what.empty()) text += (text.empty() ? "" : ": ") + what;
  if (!allowed.empty()) text += "; " + allowed;
  if (!named_by.empty()) text += fmt::format(" (named by {}, {})", named_by, named_at.text());
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return text;
}

ConfigError::ConfigError(const std::string& what)
    : std::runtime_error(what),
      faults_(std::make_shared<const std::vector<ConfigFault>>(1, ConfigFault{.what = what})) {}

ConfigError::ConfigError(ConfigFault fault)
    : ConfigError(std::vector<ConfigFault>{std::move(fault)}) {}

ConfigError::ConfigError(std::vector<ConfigFault> faults)
    : std::runtime_error(sentences(faults)),
      faults_(std::make_shared<const std::vector<ConfigFault>>(std::move(faults))) {}

ConfigError config_error(InputPlace place, std::string_view key, std::string_view text,
                         FaultKind kind) {
  ConfigFault fault = ConfigFault::of(std::move(place), key, text);
  fault.kind = kind;
  return ConfigError(std::move(fault));
}

ConfigError unreadable_error(const std::filesystem::path& file, int reason, std::string_view hint) {
  return config_error({file.string()}, "",
                      fmt::format("cannot be read: {}{}", std::strerror(reason), hint),
                      reason == ENOENT ? FaultKind::kNoFile : FaultKind::kOther);
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

namespace {

using namespace std::string_view_literals;

/// Files that begin so.
constexpr std::array kBeginnings = {
    std::pair{"SQLite format 3\0"sv, "an SQLite database, as the run.sqlite of a run"sv},
    std::pair{"\x89PNG"sv, "a PNG image"sv},
    std::pair{"\xFF\xD8\xFF"sv, "a JPEG image"sv},
    std::pair{"GIF8"sv, "a GIF image"sv},
    std::pair{"%PDF"sv, "a PDF document"sv},
    std::pair{"\x1F\x8B"sv, "compressed by gzip"sv},
    std::pair{"BZh"sv, "compressed by bzip2"sv},
    std::pair{"\xFD"
              "7zXZ"sv,
              "compressed by xz"sv},
    std::pair{"\x28\xB5\x2F\xFD"sv, "compressed by zstd"sv},
    std::pair{"PK\x03\x04"sv, "a zip archive, as an .npz file"sv},
    std::pair{"\x7F"
              "ELF"sv,
              "a program"sv},
    std::pair{"AutoCAD Binary DXF"sv, "a binary DXF drawing"sv},
    std::pair{"\xFF\xFE"sv, "text in UTF-16, not in UTF-8"sv},
    std::pair{"\xFE\xFF"sv, "text in UTF-16, not in UTF-8"sv},
};

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

/// The first line that says something: no blank line, and no comment.
std::string_view first_statement(std::string_view text) {
  text = without_mark(text);
  for (text = without_blanks(text); text.starts_with('#'); text = without_blanks(text)) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end);
  }
  return text.substr(0, text.find('\n'));
}

/// Whether a line begins a table of TOML or sets a key.
bool is_toml_line(std::string_view line) {
  return line.starts_with('[') || line.find('=') < line.find_first_of(",\"");
}

/// "0" and "SECTION" on two lines.
bool is_dxf(std::string_view text) {
  if (!text.starts_with("0")) return false;
  return without_blanks(text.substr(1)).starts_with("SECTION");
}

}  // namespace

std::string_view binary_kind(std::string_view text) {
  if (text.empty()) return "an empty file";
  for (const auto& [beginning, kind] : kBeginnings) {
    if (text.starts_with(beginning)) return kind;
  }
  constexpr std::size_t kLooked = 4096;
  return text.substr(0, kLooked).find('\0') != std::string_view::npos ? "a binary file" : "";
}

std::string_view file_kind(std::string_view text) {
  if (const std::string_view kind = binary_kind(text); !kind.empty()) return kind;
  const std::string_view begin = without_blanks(without_mark(text));
  if (is_dxf(begin)) return "a DXF drawing";
  if (begin.starts_with("<?xml") || begin.starts_with("<svg")) return "an SVG drawing or other XML";
  if (begin.starts_with("<")) return "an HTML page";
  if (begin.starts_with("{")) return "a JSON document";
  const std::string_view statement = first_statement(text);
  const bool is_toml = statement.find('=') != std::string_view::npos || statement.starts_with('[');
  return !is_toml && statement.find(',') != std::string_view::npos ? "a CSV table" : "";
}

bool may_be_toml(std::string_view text) { return is_toml_line(first_statement(text)); }

std::string_view file_kind_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(status)) return "a folder";
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status)) {
    return "a device";
  }
  if (!std::filesystem::is_regular_file(status)) return "";
  std::ifstream stream(file, std::ios::binary);
  std::string begin(4096, '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  return stream.bad() ? "" : file_kind(begin);
}

namespace {

constexpr std::array<std::string_view, 33> kUnits = {
    "mm",  "cm",  "dm",  "m",  "um", "km", "in",  "inch",    "mm2", "cm2", "m2",
    "mm3", "cm3", "m3",  "kg", "g",  "mg", "lb",  "n",       "mn",  "kn",  "nm",
    "s",   "ms",  "sec", "hz", "s2", "s3", "rad", "degrees", "deg", "per", "mpa"};

bool is_unit(std::string_view word) {
  return std::find(kUnits.begin(), kUnits.end(), word) != kUnits.end();
}

/// The number of single letters to insert, delete or replace (Levenshtein), or neighbours to swap.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string without_unit(std::string_view key) {
  std::string stem = lower_case(key);
  for (std::size_t cut = stem.rfind('_'); cut != std::string::npos && cut > 0;
       cut = stem.rfind('_')) {
    if (!is_unit(std::string_view(stem).substr(cut + 1))) break;
    stem.resize(cut);
  }
  return stem;
}

std::string in_degrees(std::string_view key) {
  return key.ends_with("_rad") ? std::string(key.substr(0, key.size() - 3)) + "deg"
                               : std::string(key);
}

std::string in_radians(std::string_view key) {
  return key.ends_with("_deg") ? std::string(key.substr(0, key.size() - 3)) + "rad"
                               : std::string(key);
}

std::optional<KeySuggestion> suggest_key(std::string_view key,
                                         const std::vector<std::string_view>& allowed) {
  const std::string stem = without_unit(key);
  for (const std::string_view candidate : allowed) {
    if (without_unit(candidate) == stem) return KeySuggestion{std::string(candidate), true};
  }
  const std::string lower = lower_case(key);
  std::optional<KeySuggestion> best;
  std::size_t best_distance = std::max<std::size_t>(1, key.size() / 3);
  for (const std::string_view candidate : allowed) {
    const std::size_t distance = edit_distance(lower, candidate);
    if (distance > best_distance || (best && distance == best_distance)) continue;
    best = KeySuggestion{std::string(candidate), false};
    best_distance = distance;
  }
  return best;
}

}  // namespace graspmap
