#include "bench/part_family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

namespace graspmap::bench {
namespace {

constexpr int kLockPieces = 7;
constexpr double kRadiusMm = 20.75;

std::string lock_piece_text() {
  const std::ifstream file(GRASPMAP_SOURCE_DIR "/configs/lock_piece_quick.toml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Disc k of `count`, on a spiral (Vogel's) that fills a circle of 14 mm evenly.
std::string inner_disc(int k, int count) {
  const double radius = 14.0 * std::sqrt((k + 0.5) / count);
  const double angle = k * std::numbers::pi * (3.0 - std::sqrt(5.0));
  return fmt::format(
      "\n[[part.piece]]\nname = \"inner_{}\"\ncenter_mm = [{}, {}]\nsemi_axes_mm = [1.2, 1.2]\n",
      k + 1, radius * std::cos(angle), radius * std::sin(angle));
}

/// Tooth k of `count` on the arc from tooth_6 over the top to tooth_1, on a pitch of which it fills
/// six tenths.
std::string rim_tooth(int k, int count) {
  constexpr double kFirst = -0.81;  // rad
  constexpr double kLast = 3.95;
  const double pitch = (kLast - kFirst) / count;
  const double angle = kFirst + (k + 0.5) * pitch;
  const double half_width = 0.3 * pitch * kRadiusMm;
  return fmt::format(
      "\n[[part.piece]]\nname = \"rim_{}\"\ncenter_mm = [{}, {}]\nangle_rad = {}\n"
      "semi_axes_mm = [{}, {}]\nexponent = 4\n",
      k + 1, kRadiusMm * std::cos(angle), kRadiusMm * std::sin(angle), angle,
      std::min(2.0 * half_width, 2.3), half_width);
}

}  // namespace

const char* name(PartFamily family) { return family == PartFamily::kInside ? "inside" : "rim"; }

std::string family_config(PartFamily family, int pieces) {
  std::string text = lock_piece_text();
  const int more = pieces - kLockPieces;
  for (int k = 0; k < more; ++k) {
    text += family == PartFamily::kInside ? inner_disc(k, more) : rim_tooth(k, more);
  }
  return text;
}

}  // namespace graspmap::bench
