#include "lab/scenes/scene_laws.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "lab/scenes/scene_keys.hpp"
#include "lab/scenes/soft_layer_reader.hpp"

namespace graspmap {
namespace {

using Pair = std::pair<int, int>;

/// Reads `between` of one table after the other.
class LawReader {
 public:
  LawReader(const std::vector<SceneBlock>& blocks, PlanarScene& scene)
      : blocks_(blocks), scene_(scene) {}

  void read_contact(const TomlTable& table) {
    const auto [a, b] = names_between(table);
    ContactLaw law;
    law.mu = table.number_or(scene_.mu, "friction", kFrictionCoefficients);
    law.touch = table.truth_or(true, "touch");
    law.layers = read_soft_layers(table, 2);
    if (!law.layers[0] && law.layers[1] && !law.layers[1]->matrices) {
      std::swap(law.soft, law.layers[1]);  // every stepper knows these
    }
    table.check_keys();
    const std::vector<int> bodies_a = bodies_named(table, a);
    check_pairs(table, bodies_a.size() * bodies_named(table, b).size());
    if (a == b && bodies_a.size() == 1) {
      table.fail("between", fmt::format("is \"{}\" twice; must be two bodies, or a grid twice", a));
    }
    for (const int body_a : bodies_a) {
      for (const int body_b : bodies_named(table, b)) {
        if (a != b || body_a < body_b) add_law(table, law, body_a, body_b);
      }
    }
  }

  void read_joint(const TomlTable& table) {
    static_cast<void>(table.choice("kind", {"pin"}));
    const auto [a, b] = names_between(table);
    const auto [x, y] = read_components2(table, "at_mm");
    const bool touch = table.truth_or(false, "touch");
    table.check_keys();
    const int body_a = one_body_named(table, a);
    const int body_b = one_body_named(table, b);
    if (body_a == body_b) {
      table.fail("between", fmt::format("is \"{}\" twice; must be two bodies", a));
    }
    if (!body(body_a).moves_freely() && !body(body_b).moves_freely()) {
      table.fail("between", fmt::format("{} and {} are both fixed; one must move", a, b));
    }
    scene_.pins.push_back({body_a, body_b, in_body({x, y}, body_a), in_body({x, y}, body_b)});
    const Pair pair = std::minmax(body_a, body_b);
    if (touch || !lawful_.insert(pair).second) return;
    scene_.laws.push_back({pair.first, pair.second, scene_.mu, false, std::nullopt});
  }

 private:
  [[nodiscard]] const PlanarBody& body(int index) const {
    return scene_.bodies[static_cast<std::size_t>(index)];
  }

  [[nodiscard]] Vec2 in_body(const Vec2& point_mm, int index) const {
    const Vec3& pose = body(index).pose;
    return inverse_transform({pose.head<2>(), pose[2]}, point_mm);
  }

  /// The bodies of a block, or the one body of this name.
  [[nodiscard]] std::vector<int> bodies_named(const TomlTable& table,
                                              const std::string& name) const {
    for (const SceneBlock& block : blocks_) {
      if (block.name == name) return block.bodies;
    }
    for (std::size_t k = 0; k < scene_.bodies.size(); ++k) {
      if (scene_.bodies[k].name == name) return {static_cast<int>(k)};
    }
    std::vector<std::string> names;
    for (const SceneBlock& block : blocks_) names.push_back(block.name);
    table.fail("between",
               fmt::format("\"{}\" is no body; must be of {}", name, fmt::join(names, ", ")));
  }

  [[nodiscard]] int one_body_named(const TomlTable& table, const std::string& name) const {
    const std::vector<int> bodies = bodies_named(table, name);
    if (bodies.size() == 1) return bodies.front();
    table.fail("between", fmt::format("\"{0}\" is a grid of {1}; must be one of {0}_1 to {0}_{1}",
                                      name, bodies.size()));
  }

  void check_pairs(const TomlTable& table, std::size_t more) const {
    if (scene_.laws.size() + more <= kMostScenePairs) return;
    table.fail("between",
               fmt::format("makes {} pairs of bodies with a law of their own; must be at "
                           "most {}: world.friction is for all others",
                           scene_.laws.size() + more, kMostScenePairs));
  }

  void add_law(const TomlTable& table, ContactLaw law, int body_a, int body_b) {
    const Pair pair = std::minmax(body_a, body_b);
    if (body_a == body_b || !lawful_.insert(pair).second) {
      table.fail("between", fmt::format("{} and {}: must be two bodies, with one law for each pair",
                                        body(body_a).name, body(body_b).name));
    }
    if (body_b < body_a) std::swap(law.layers[0], law.layers[1]);
    std::tie(law.body_a, law.body_b) = pair;
    scene_.laws.push_back(law);
  }

  const std::vector<SceneBlock>& blocks_;
  PlanarScene& scene_;
  std::set<Pair> lawful_;  ///< pairs with a law
};

}  // namespace

void read_scene_laws(const std::vector<TomlTable>& contacts, const std::vector<TomlTable>& joints,
                     const std::vector<SceneBlock>& blocks, PlanarScene& scene) {
  LawReader reader(blocks, scene);
  for (const TomlTable& table : contacts) reader.read_contact(table);
  for (const TomlTable& table : joints) reader.read_joint(table);
}

}  // namespace graspmap
