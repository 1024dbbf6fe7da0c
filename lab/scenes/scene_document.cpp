#include "lab/scenes/scene_document.hpp"

#include <array>
#include <sstream>

#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/io/toml_override.hpp"
#include "grasp/sweep/config/toml_kind.hpp"

namespace graspmap {
namespace {

constexpr std::array kSceneKinds{SceneKind::kPlanar, SceneKind::kSpatial, SceneKind::kArticulated};

/// The document as text; comments are lost.
std::string text_of(const toml::table& document) {
  std::ostringstream text;
  text << toml::toml_formatter{document} << "\n";
  return text.str();
}

}  // namespace

const char* name(SceneKind kind) {
  switch (kind) {
    case SceneKind::kPlanar:
      return "planar";
    case SceneKind::kSpatial:
      return "spatial";
    case SceneKind::kArticulated:
      break;
  }
  return "articulated";
}

SceneKind read_scene_kind(const TomlTable& document) {
  if (!document.has("kind")) return SceneKind::kPlanar;
  std::vector<std::string_view> words;
  for (const SceneKind kind : kSceneKinds) words.emplace_back(name(kind));
  return kSceneKinds[document.choice("kind", words)];
}

SceneDocument parse_scene_document(std::string_view text, const std::string& source,
                                   const std::vector<std::string>& overrides) {
  SceneDocument document;
  document.name = std::filesystem::path(source).stem().string();
  document.root = parse_toml(text, source);
  for (const std::string& assignment : overrides) apply_override(document.root, assignment);
  document.toml = overrides.empty() ? std::string(text) : text_of(document.root);
  check_toml_kind(document.root, TomlKind::kScene);
  document.kind = read_toml_in_part(document.root, read_scene_kind);
  return document;
}

SceneDocument read_scene_document(const std::filesystem::path& file,
                                  const std::vector<std::string>& overrides) {
  return parse_scene_document(read_toml_text(file), file.string(), overrides);
}

}  // namespace graspmap
