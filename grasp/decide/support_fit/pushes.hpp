#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

namespace graspmap {

/// One measurement of a push at constant slow speed, in the part's axes, about its centre of mass.
struct MeasuredPush {
  std::size_t group = 0;   ///< rows of one push are held out together
  Eigen::Vector3d wrench;  ///< what the pusher does to the part: N, N, N mm
  Eigen::Vector3d twist;   ///< of the part: mm/s, mm/s, rad/s
};

/// The rows of a file of pushes.
struct PushFile {
  std::string file;
  std::string origin;                                   ///< "measured", "digitised" or "simulated"
  std::string source;                                   ///< as the file says; may be empty
  Eigen::Vector2d center_mm = Eigen::Vector2d::Zero();  ///< the centre of mass in the file's frame
  std::vector<MeasuredPush> rows;
  std::size_t groups = 0;
};

/// The rows with moments divided by a length and rates of turn multiplied by it, as SlidingModel
/// has them.
std::vector<MeasuredPush> scaled_rows(std::vector<MeasuredPush> rows, double length_mm);

inline constexpr std::size_t kLeastPushGroups = 20;

/// Reads PUSHES.csv: lines "# origin = measured" (or digitised, simulated) and "# source = TEXT",
/// then CSV with the columns vx_mm_s, vy_mm_s, omega_rad_s (of the frame's origin, in the part's
/// axes), and fx_n, fy_n, moment_n_mm (about the frame's origin) or force_x_n, force_y_n,
/// contact_x_mm, contact_y_mm; `push` names the push that a row belongs to, else each row is one.
/// `center_mm` is the centre of mass in that frame, to which wrenches and twists are moved. Throws
/// ConfigError with file, line and column: a missing column, no number, a row without force or
/// motion, fewer than kLeastPushGroups pushes.
PushFile read_pushes(const std::filesystem::path& file, const Eigen::Vector2d& center_mm);

}  // namespace graspmap
