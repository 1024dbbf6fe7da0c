#include "grasp/sweep/config/toml_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "grasp/base/io/toml_document.hpp"

namespace graspmap {
namespace {

struct KindText {
  TomlKind kind;
  std::array<std::string_view, 2> keys;  ///< that only it has
  std::string_view is;
  std::string_view give;
};

constexpr std::array kKinds = {
    KindText{TomlKind::kSweep,
             {"part", "gripper"},
             "the configuration of a sweep, for graspmap run",
             "the configuration of a sweep, with [part] and [gripper]"},
    KindText{TomlKind::kScene,
             {"body", "link"},
             "a scene, for graspmap-lab simulate",
             "a scene, with [[body]] or [[link]]"},
    KindText{TomlKind::kFacts,
             {"fact", "fact"},
             "a file of published facts, for graspmap compare",
             "published facts, with [[fact]]"},
};

const toml::node* own_key(const toml::table& document, const KindText& kind,
                          std::string_view& key) {
  for (const std::string_view name : kind.keys) {
    if (const toml::node* node = document.get(name)) {
      key = name;
      return node;
    }
  }
  return nullptr;
}

}  // namespace

void check_toml_kind(const toml::table& document, TomlKind expected) {
  const auto is_expected = [&](const KindText& kind) { return kind.kind == expected; };
  const KindText& wanted = *std::find_if(kKinds.begin(), kKinds.end(), is_expected);
  std::string_view key;
  if (own_key(document, wanted, key) != nullptr) return;
  for (const KindText& other : kKinds) {
    const toml::node* node = own_key(document, other, key);
    if (node == nullptr) continue;
    throw config_error(location(*node), key,
                       fmt::format("this is {}; give {}", other.is, wanted.give));
  }
}

}  // namespace graspmap
