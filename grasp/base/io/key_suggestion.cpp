#include "grasp/base/io/key_suggestion.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace graspmap {
namespace {

constexpr std::array<std::string_view, 32> kUnits = {
    "mm",  "cm",  "dm",  "m",  "um", "km", "in",  "inch",    "mm2", "cm2", "m2",
    "mm3", "cm3", "m3",  "kg", "g",  "mg", "lb",  "n",       "mn",  "kn",  "nm",
    "s",   "ms",  "sec", "hz", "s2", "s3", "rad", "degrees", "deg", "per"};

bool is_unit(std::string_view word) {
  return std::find(kUnits.begin(), kUnits.end(), word) != kUnits.end();
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// The number of single letters to insert, delete or replace (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
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
