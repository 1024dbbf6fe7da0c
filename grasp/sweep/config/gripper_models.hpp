#pragma once

#include <toml++/toml.h>

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace graspmap {

/// A gripper that can be bought, as data sheets describe it.
///
/// Forces are those on each jaw: catalogues often give the sum over both. Speeds are those of each
/// jaw: half of the rate at which the opening changes. The pads' depth, away from the part, is in
/// no data sheet except where it is said. Documents were read in public transcriptions, not in the
/// originals, unless a source says "read": check them against the sheet of your gripper.
struct GripperModel {
  const char* id;  ///< of gripper.model
  const char* product;
  double opening_mm;    ///< the largest; of universal grippers, whose fingers are made to measure,
                        ///< the range of the opening
  double force_n;       ///< on each jaw, the largest
  double speed_mm_s;    ///< of each jaw, the largest
  double pad_width_mm;  ///< along the part
  double pad_depth_mm;
  const char* source;
  const char* estimated;  ///< which numbers no document gives, and where they are from; or ""
};

/// Sorted by their ids.
std::span<const GripperModel> gripper_models();

/// The model with this id, or null.
const GripperModel* gripper_named(std::string_view id);

/// Their ids, for the list of keys.
std::vector<const char*> gripper_model_names();

/// With gripper.model in a document, puts in those keys of the model that it lacks: opening_mm,
/// closing_force_n, closing_speed_mm_s, and the pads unless [gripper.finger] has another form.
/// Throws ConfigError for a name that is not known.
void expand_gripper_model(toml::table& document);

/// The mass of a jaw that is not given. The models of 12 grippers have 0.03 to 0.2 kg for 20 to
/// 235 N on each jaw; this is within a factor of 3 of them. It hardly matters: a jaw's momentum is
/// small beside what its force brings in the time in which the part moves.
constexpr double usual_jaw_mass_kg(double force_n) { return 0.02 + 0.0005 * force_n; }

}  // namespace graspmap
