#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_reader.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"

namespace graspmap {
namespace {

/// A pad by its stiffness, or by what it is made of.
Pad read_pad(const TomlTable& table, const ScenarioSource& source) {
  Pad pad;
  KeyReader keys(table, source.folder, &source.inputs);
  pad_keys(keys, pad);
  const std::string_view material =
      table.first_present({"modulus_mpa", "thickness_mm", "height_mm"});
  const std::string_view stiffness =
      table.first_present({"normal_n_per_mm2", "shear_n_per_mm2", "spread_mm"});
  if (!material.empty() && !stiffness.empty()) {
    table.fail(material, fmt::format("does not go with {}; give either normal_n_per_mm2 and "
                                     "spread_mm, or modulus_mpa, thickness_mm and height_mm",
                                     stiffness));
  }
  if (!material.empty()) {
    const auto number = [&](const char* key) { return table.number(key, kPositive); };
    const Pad made = pad_of(number("modulus_mpa"), number("thickness_mm"), number("height_mm"),
                            pad.most_deflection_mm);
    pad.normal_n_per_mm2 = made.normal_n_per_mm2;
    pad.shear_n_per_mm2 = made.shear_n_per_mm2;
    pad.spread_mm = made.spread_mm;
    if (pad.most_deflection_mm >= pad.spread_mm) {
      table.fail("most_deflection_mm", fmt::format("is {}; must be below thickness_mm = {}",
                                                   pad.most_deflection_mm, pad.spread_mm));
    }
  } else if (std::isinf(pad.shear_n_per_mm2)) {
    pad.shear_n_per_mm2 = std::max(pad.normal_n_per_mm2 / 3.0, quantities::kPadStiffnesses.min);
  }
  return pad;
}

}  // namespace

void read_pads(const TomlTable& gripper, const ScenarioSource& source, DrawnScenario& scenario) {
  const bool has_left = gripper.has("left_pad");
  if (!gripper.has("pad")) {
    if (has_left) gripper.fail("pad", "missing; must be given with left_pad, for the right jaw");
    return;
  }
  const TomlTable table = gripper.table("pad");
  if (scenario.other_stepper) {
    table.fail("most_deflection_mm",
               "pads need simulation.stepper = \"implicit\"; must be left out");
  }
  scenario.gripper.right_pad = read_pad(table, source);
  scenario.same_pads = !has_left;
  scenario.gripper.left_pad =
      has_left ? read_pad(gripper.table("left_pad"), source) : scenario.gripper.right_pad;
}

void read_mount(const TomlTable& gripper, const ScenarioSource& source, DrawnScenario& scenario) {
  if (!gripper.has("mount")) return;
  const TomlTable table = gripper.table("mount");
  if (scenario.other_stepper) {
    table.fail("damping_s", "a mount needs simulation.stepper = \"implicit\"; must be left out");
  }
  KeyReader keys(table, source.folder, &source.inputs);
  mount_keys(keys, scenario.gripper.mount.emplace(kUsualMount));
}

}  // namespace graspmap
