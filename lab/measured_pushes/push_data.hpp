#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "geometry/mass_properties.hpp"
#include "geometry/part.hpp"
#include "geometry/types.hpp"
#include "grasp/base/io/csv.hpp"
#include "grasp/decide/support_fit/pushes.hpp"

namespace graspmap {

/// A plate that was pushed.
struct PushedShape {
  Part part;            ///< its frame P is that of the poses
  MassProperties mass;  ///< of steel, 13 mm thick (Yu et al. 2016)
};

/// A shape on a surface, in this order.
using PushSet = std::pair<std::string, std::string>;

/// One straight push by a round pusher. Poses and points are on the table.
struct RecordedPush {
  std::string id;
  std::string shape;
  std::string surface;
  std::string window;  ///< "full", or "trim": the middle of the same push
  std::string split;   ///< "train": surfaces may be fitted on it
  double speed_mm_s = 0.0;
  Pose2 start;  ///< of P
  Vec2 tip_start_mm = Vec2::Zero();
  Vec2 tip_end_mm = Vec2::Zero();
  std::optional<Pose2> end;  ///< as measured; nothing where it is to be predicted
  std::optional<Pose2> published_ellipsoid, published_fourth_order;  ///< simulated by Zhou et al.
  bool doubtful = false;                                             ///< the measurement

  [[nodiscard]] PushSet set() const { return {shape, surface}; }
  [[nodiscard]] Vec2 path_mm() const { return tip_end_mm - tip_start_mm; }
};

struct PushData {
  std::map<std::string, PushedShape> shapes;
  std::vector<RecordedPush> pushes;
  std::map<PushSet, PushFile> pairs;     ///< wrench and twist, about the centre of mass
  std::map<PushSet, double> lengths_mm;  ///< by which the file divides moments
};

/// The radius of the pusher (Yu et al. 2016).
inline constexpr double kPusherRadius_mm = 4.75;

/// Reads a file as shapes.toml. Throws ConfigError.
std::map<std::string, PushedShape> read_shapes(const std::filesystem::path& file);

/// The name in a column, which must be that of a shape. Throws ConfigError.
const std::string& shape_in(const CsvTable& table, const CsvRow& row, std::size_t column,
                            const std::map<std::string, PushedShape>& shapes);

/// Reads shapes.toml, pairs.csv and pushes.csv of a folder, whose columns and units
/// docs/lab/measured-pushes.md has. Throws ConfigError.
PushData read_push_data(const std::filesystem::path& folder);

}  // namespace graspmap
