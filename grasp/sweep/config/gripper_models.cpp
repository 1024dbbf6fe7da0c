#include "grasp/sweep/config/gripper_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_document.hpp"

namespace graspmap {
namespace {

constexpr std::array kModels{
    GripperModel{"festo_ehps_20", "Festo EHPS-20-A", 26, 109, 50, 20, 10,
                 "Festo, data sheet EHPS-20-A (part 8070831): 13 mm and 218 N in total",
                 "speed; pads: fingers are made to measure, 20 x 10 mm assumed; the opening is the "
                 "stroke"},
    GripperModel{"franka_hand", "Franka Hand", 80, 35, 50, 17, 10,
                 "Franka Robotics, Product Manual Franka Hand 1.2: 80 mm, 70 N continuous, 50 mm/s "
                 "per finger; pads: google-deepmind/mujoco_menagerie, franka hand.xml",
                 "the manual does not say whether 70 N are per finger: half is taken; pad depth"},
    GripperModel{"onrobot_2fg7", "OnRobot 2FG7", 39, 70, 225, 32, 8.5,
                 "OnRobot, 2FG7 datasheet v2.0: 1 to 39 mm, 140 N, 450 mm/s, pads 32 mm wide, 8.5 "
                 "mm thick",
                 "the sheet does not say whether force and speed are per finger: half is taken"},
    GripperModel{"onrobot_rg2", "OnRobot RG2", 110, 20, 63.5, 20.2, 11.4,
                 "OnRobot, RG2 datasheet v1.8: 110 mm, 40 N, 127 mm/s, pads 20.2 mm wide, 11.4 mm "
                 "thick",
                 "the sheet does not say whether force and speed are per finger: half is taken"},
    GripperModel{"onrobot_rg6", "OnRobot RG6", 160, 60, 80, 25, 13.15,
                 "OnRobot, RG6 datasheet v2.0: 160 mm, 120 N, pads 25 mm wide, 13.15 mm thick",
                 "the sheet does not say whether 120 N are per finger: half is taken; speed"},
    GripperModel{"robotiq_2f140", "Robotiq 2F-140", 140, 125, 125, 27, 10,
                 "Robotiq, 2F-85 & 2F-140 Instruction Manual, e-Series, 2019-02-06: 140 mm, 125 N, "
                 "250 mm/s of the opening; pads: PickNik ros2_robotiq_gripper",
                 "that 125 N are per finger, as of the 2F-85; pad depth"},
    GripperModel{
        "robotiq_2f85", "Robotiq 2F-85", 85, 235, 75, 22, 10,
        "read: Robotiq, github.com/robotiq/grippers, device_profile.hpp: 85 mm, 235 N per "
        "finger, 150 mm/s of the opening; pads: google-deepmind/mujoco_menagerie, 2f85.xml",
        "pad depth"},
    GripperModel{"robotiq_hande", "Robotiq Hand-E", 50, 185, 75, 22, 10,
                 "Robotiq, Adaptive Grippers product page: 50 mm, 185 N; manual p. 72: forces are "
                 "per finger",
                 "speed as of the 2F-85; pads"},
    GripperModel{"schunk_egk40", "Schunk EGK 40-MB-M-B", 83, 75, 57.5, 20, 10,
                 "Schunk, EGK 40-MB-M-B product page: 41.5 mm per jaw, 150 N, 57.5 mm/s",
                 "that 150 N are the sum over both jaws, as Schunk's sheets say elsewhere, and the "
                 "speed per jaw; pads: fingers are made to measure, 20 x 10 mm assumed"},
    GripperModel{"schunk_pgn_plus_p_80", "Schunk PGN-plus-P 80-1", 16, 275, 229, 20, 10,
                 "Schunk, data of PGN-plus-P 80-1 at 6 bar: 8 mm per jaw in 0.035 s, 550 N in all",
                 "pads: fingers are made to measure, 20 x 10 mm assumed; the opening is the "
                 "stroke"},
    GripperModel{"weiss_wsg50_110", "Weiss WSG 50-110", 110, 40, 210, 20, 12,
                 "Weiss Robotics, WSG series page: 110 mm, 80 N; manual 01.00, p. 9: twice the "
                 "force on the part; pads: RobotLocomotion/models, schunk_wsg_50",
                 "speed: a driver's limit of 420 mm/s of the opening"},
    GripperModel{"zimmer_geh6180il", "Zimmer GEH6180IL-03-B", 160, 900, 50, 20, 10,
                 "Zimmer Group, sheet MER_GD_PG_GEH6180IL-03-B: 80 mm per jaw, 1800 N in all, 50 "
                 "mm/s per jaw",
                 "pads: fingers are made to measure, 20 x 10 mm assumed"},
};

/// True for a finger that is not a pad.
bool has_other_form(const toml::table& finger) {
  const auto has = [&](const char* key) { return finger.contains(key); };
  return has("outline_mm") || has("file") || has("width_mm") || has("step_depth_mm");
}

/// Moves into a table what it lacks; moved nodes keep their source, so that errors name the model.
void add_missing(toml::table& from, toml::table& table) {
  for (auto&& [key, node] : from) {
    if (table.contains(key)) continue;
    node.visit([&, name = key.str()](auto& value) { table.insert(name, std::move(value)); });
  }
}

}  // namespace

std::span<const GripperModel> gripper_models() { return kModels; }

std::vector<const char*> gripper_model_names() {
  std::vector<const char*> names;
  for (const GripperModel& model : kModels) names.push_back(model.id);
  return names;
}

const GripperModel* gripper_named(std::string_view id) {
  const auto found =
      std::find_if(kModels.begin(), kModels.end(), [&](const auto& m) { return id == m.id; });
  return found == kModels.end() ? nullptr : &*found;
}

void expand_gripper_model(toml::table& document) {
  toml::table* gripper = document["gripper"].as_table();
  const toml::node* named = gripper == nullptr ? nullptr : gripper->get("model");
  if (named == nullptr) return;
  const std::string id = named->value_or(std::string());
  const GripperModel* model = gripper_named(id);
  if (model == nullptr) {
    throw config_error(location(*named), "gripper.model",
                       fmt::format("is {}; must be one of {}",
                                   named->is_string() ? fmt::format("\"{}\"", id) : "no text",
                                   fmt::join(gripper_model_names(), ", ")));
  }
  toml::table keys =
      parse_toml(fmt::format("opening_mm = {}\nclosing_force_n = {}\nclosing_speed_mm_s = {}\n"
                             "finger = {{ pad_width_mm = {}, pad_depth_mm = {} }}\n",
                             model->opening_mm, model->force_n, model->speed_mm_s,
                             model->pad_width_mm, model->pad_depth_mm),
                 fmt::format("gripper.model \"{}\"", id));
  gripper->erase("model");  // its keys stand for it from now on
  toml::table* finger = (*gripper)["finger"].as_table();
  if (finger != nullptr && !has_other_form(*finger))
    add_missing(*keys["finger"].as_table(), *finger);
  add_missing(keys, *gripper);
}

}  // namespace graspmap
