#include "grasp/base/drawings/layer_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace graspmap {
namespace {

/// More are not listed.
constexpr std::size_t kMostListed = 12;

/// Upper and lower case are the same, as DXF has it.
bool same_layer(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

bool LayerChoice::is_wanted(const std::string& layer) const {
  return wanted_.empty() || std::any_of(wanted_.begin(), wanted_.end(),
                                        [&](const auto& name) { return same_layer(name, layer); });
}

bool LayerChoice::take(const std::string& layer) {
  seen_.insert(layer);
  return is_wanted(layer);
}

bool LayerChoice::take_any(const std::vector<std::string>& layers) {
  seen_.insert(layers.begin(), layers.end());
  return wanted_.empty() || std::any_of(layers.begin(), layers.end(),
                                        [&](const auto& layer) { return is_wanted(layer); });
}

void LayerChoice::check(const SourceFile& source) const {
  for (const std::string& name : wanted_) {
    if (std::any_of(seen_.begin(), seen_.end(),
                    [&](const std::string& layer) { return same_layer(layer, name); })) {
      continue;
    }
    std::string list;
    std::size_t listed = 0;
    for (const std::string& layer : seen_) {
      if (layer.empty()) continue;
      if (listed++ == kMostListed) list += ", ...";
      if (listed > kMostListed) break;
      list += fmt::format("{}{}", list.empty() ? "" : ", ", in_quotes(layer));
    }
    source.fail(
        0, list.empty()
               ? fmt::format("layer {}: the drawing shows no lines on any layer", in_quotes(name))
               : fmt::format("layer {}: the drawing shows no lines on it; layers with lines: "
                             "{}",
                             in_quotes(name), list));
  }
}

}  // namespace graspmap
