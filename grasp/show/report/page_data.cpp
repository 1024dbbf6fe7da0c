#include "grasp/show/report/page_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "geometry/part.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_scene.hpp"
#include "grasp/sweep/figures/map_figures.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/trial_record.hpp"

namespace graspmap {
namespace {

constexpr double kLargestWord = 65534.0;
constexpr std::uint16_t kUnknown = 65535;

char low_byte(std::uint16_t word) { return static_cast<char>(word & 0xFFU); }
char high_byte(std::uint16_t word) { return static_cast<char>(word >> 8U); }

}  // namespace

void PackedRange::include(double number) {
  if (!std::isfinite(number)) return;
  const bool empty = low > high;
  low = empty ? number : std::min(low, number);
  high = empty ? number : std::max(high, number);
}

double PackedRange::step() const { return low < high ? (high - low) / kLargestWord : 0.0; }

std::uint16_t PackedRange::pack(double number) const {
  if (!std::isfinite(number)) return kUnknown;
  if (!(low < high)) return 0;
  const double place = std::clamp((number - low) / (high - low), 0.0, 1.0);
  return static_cast<std::uint16_t>(std::lround(place * kLargestWord));
}

void append_word(std::string& bytes, std::uint16_t word) {
  bytes += low_byte(word);
  bytes += high_byte(word);
}

void append_fraction(std::string& bytes, double fraction) {
  constexpr double kLargest = 32767.0;
  const auto whole =
      static_cast<std::int16_t>(std::lround(kLargest * std::clamp(fraction, -1.0, 1.0)));
  append_word(bytes, static_cast<std::uint16_t>(whole));
}

void append_double(std::string& bytes, double number) {
  const auto word = __builtin_bit_cast(std::uint64_t, number);
  for (int byte = 0; byte < 8; ++byte) bytes += static_cast<char>(word >> (8 * byte) & 0xFFU);
}

void append_planes(std::string& bytes, std::span<const std::uint16_t> words) {
  for (const std::uint16_t word : words) bytes += high_byte(word);
  for (const std::uint16_t word : words) bytes += low_byte(word);
}

namespace {

using Columns = std::array<double, kPackedColumns.size()>;

Columns columns_of(const TrialRow& row) {
  return {row.final_pose.position_mm.x(),
          row.final_pose.position_mm.y(),
          row.final_pose.angle_rad,
          row.jaw_right_mm,
          row.jaw_left_mm,
          row.end_time_s};
}

/// The first `most` trials of ranges.
TrialRanges first_of(const TrialRanges& ranges, std::int64_t most) {
  TrialRanges first;
  for (const TrialRange& range : ranges) {
    const std::int64_t left = most - count_trials(first);
    if (left <= 0) break;
    first.push_back({range.first, std::min(range.end, range.first + left)});
  }
  return first;
}

}  // namespace

TrialTable read_trial_table(const RunStore& store, std::int64_t most) {
  TrialTable table;
  const TrialRanges stored = store.stored();
  table.stored = count_trials(stored);
  table.trials = first_of(stored, most);
  const std::int64_t end = table.trials.empty() ? 0 : table.trials.back().end;
  for (const TrialRange& range : table.trials) {
    append_double(table.bytes, static_cast<double>(range.first));
    append_double(table.bytes, static_cast<double>(range.end));
  }
  std::vector<Columns> kept;
  TrialDigest digest;
  store.for_each([&](const TrialRow& row) {
    digest.add(row);
    if (row.index >= end) return;
    table.bytes += static_cast<char>(row.outcome);
    kept.push_back(columns_of(row));
  });
  table.digest = digest.hex();
  std::vector<std::uint16_t> words(kept.size());
  for (std::size_t c = 0; c < kPackedColumns.size(); ++c) {
    PackedRange& range = table.range[c];
    for (const Columns& row : kept) range.include(row[c]);
    std::transform(kept.begin(), kept.end(), words.begin(),
                   [&](const Columns& row) { return range.pack(row[c]); });
    append_planes(table.bytes, words);
  }
  return table;
}

Object trial_table_fields(const TrialTable& table) {
  const auto column_fields = [&](std::size_t c) {
    const PackedRange& range = table.range[c];
    return Object{{"name", kPackedColumns[c]},
                  {"low", range.low},
                  {"high", range.high},
                  {"rounded_by_at_most", range.step() / 2}};
  };
  return {{"stored", table.stored},
          {"trials", count_trials(table.trials), "in the page"},
          {"ranges", table.trials.size()},
          {"columns", list_of(row_numbers(kPackedColumns.size()), column_fields)}};
}

namespace {

/// One trial as it moves.
struct Film {
  std::int64_t trial = 0;
  std::string story;
  std::vector<Scene> frames;
};

/// What the packed numbers are fractions of.
struct FilmScale {
  double time_s = 0.0;
  double length_mm = 0.0;
  double angle_rad = 0.0;
  double force_n = 0.0;
};

/// A number as a fraction of its scale.
double fraction(double number, double scale) { return scale > 0 ? number / scale : 0.0; }

Film make_film(const SweepConfig& config, std::int64_t trial) {
  const TrialStory story = tell_trial(config, trial);
  Film film{trial, trial_text(story), {}};
  for (const std::size_t k : evenly_in_time(story.trajectory, kMostFilmFrames)) {
    film.frames.push_back(scene_at(story, k));
  }
  return film;
}

void grow(double& largest, double number) { largest = std::max(largest, std::abs(number)); }

FilmScale scale_of(const std::vector<Film>& films) {
  FilmScale scale;
  for (const Film& film : films) {
    for (const Scene& frame : film.frames) {
      grow(scale.time_s, frame.time_s);
      grow(scale.angle_rad, frame.part_pose.angle_rad);
      grow(scale.length_mm, frame.part_pose.position_mm.cwiseAbs().maxCoeff());
      grow(scale.length_mm, frame.jaw_right_mm);
      grow(scale.length_mm, frame.jaw_left_mm);
      if (frame.gripper) {
        grow(scale.length_mm, frame.gripper->position_mm.cwiseAbs().maxCoeff());
        grow(scale.angle_rad, frame.gripper->angle_rad);
      }
      for (const SceneContact& contact : frame.contacts) {
        grow(scale.length_mm, contact.point_G_mm.cwiseAbs().maxCoeff());
        grow(scale.force_n, contact.force_n.norm());
      }
    }
  }
  return scale;
}

void append_contact(std::string& bytes, const SceneContact& contact, const FilmScale& scale) {
  constexpr unsigned kSides = 4;
  const Vec2& n = contact.normal_G;
  append_word(bytes, static_cast<std::uint16_t>(static_cast<unsigned>(contact.side) +
                                                kSides * static_cast<unsigned>(contact.grip)));
  append_fraction(bytes, fraction(contact.point_G_mm.x(), scale.length_mm));
  append_fraction(bytes, fraction(contact.point_G_mm.y(), scale.length_mm));
  append_fraction(bytes, std::atan2(n.y(), n.x()) / std::numbers::pi);
  append_fraction(bytes, fraction(contact.force_n.dot(n), scale.force_n));
  append_fraction(bytes, fraction(contact.force_n.dot(perp(n)), scale.force_n));
}

void append_frame(std::string& bytes, const Scene& frame, const FilmScale& scale) {
  append_fraction(bytes, fraction(frame.time_s, scale.time_s));
  append_fraction(bytes, fraction(frame.part_pose.position_mm.x(), scale.length_mm));
  append_fraction(bytes, fraction(frame.part_pose.position_mm.y(), scale.length_mm));
  append_fraction(bytes, fraction(frame.part_pose.angle_rad, scale.angle_rad));
  append_fraction(bytes, fraction(frame.jaw_right_mm, scale.length_mm));
  append_fraction(bytes, fraction(frame.jaw_left_mm, scale.length_mm));
  const Pose2 gripper = frame.gripper.value_or(Pose2{});
  append_fraction(bytes, fraction(gripper.position_mm.x(), scale.length_mm));
  append_fraction(bytes, fraction(gripper.position_mm.y(), scale.length_mm));
  append_fraction(bytes, fraction(gripper.angle_rad, scale.angle_rad));
  append_word(bytes, static_cast<std::uint16_t>(frame.phase));
  append_word(bytes, static_cast<std::uint16_t>(frame.contacts.size()));
  for (const SceneContact& contact : frame.contacts) append_contact(bytes, contact, scale);
}

/// A film's place in the bytes, to which its frames are added.
Object film_fields(const Film& film, const FilmScale& scale, std::string& bytes) {
  Object fields{{"trial", film.trial},
                {"begins_at", bytes.size() / 2, "in frames, in words"},
                {"frames", film.frames.size()},
                {"story", film.story}};
  for (const Scene& frame : film.frames) append_frame(bytes, frame, scale);
  return fields;
}

}  // namespace

std::vector<std::int64_t> film_trials(const RunStore& store, const TrialTable& table,
                                      std::size_t most) {
  const std::int64_t cells = store.config().placement.cell_count();
  const std::int64_t end = table.trials.empty() ? 0 : table.trials.back().end;
  std::map<std::pair<std::int64_t, Outcome>, std::int64_t> first;
  store.for_each([&](const TrialRow& row) {
    if (row.index < end) first.emplace(std::pair(row.index % cells, row.outcome), row.index);
  });
  std::vector<std::int64_t> trials;
  std::size_t place = 0;
  for (const auto& [cell, trial] : first) {
    // Of n trials number k is kept when k most / n reaches the next whole number.
    const std::size_t before = place * most / first.size();
    ++place;
    if (first.size() <= most || place * most / first.size() > before) trials.push_back(trial);
  }
  return trials;
}

TrialFilms make_films(const SweepConfig& config, const std::vector<std::int64_t>& trials) {
  std::vector<Film> films;
  films.reserve(trials.size());
  for (const std::int64_t trial : trials) films.push_back(make_film(config, trial));
  const FilmScale scale = scale_of(films);
  TrialFilms result;
  result.films = films.size();
  const auto of_film = [&](const Film& film) { return film_fields(film, scale, result.frames); };
  result.json = json_document({{"scale", Object{{"time_s", scale.time_s},
                                                {"length_mm", scale.length_mm},
                                                {"part_theta_rad", scale.angle_rad},
                                                {"normal_rad", std::numbers::pi},
                                                {"force_n", scale.force_n}}},
                               {"films", list_of(films, of_film)}});
  return result;
}

namespace {

Object axis_fields(const Axis& axis) {
  return {{"min", axis.min}, {"max", axis.max}, {"cells", axis.cells}};
}

/// The distribution of a friction. Bounds that are not there become null.
Object distribution_fields(const SweepConfig& config, const char* key,
                           const Distribution& distribution) {
  Object fields{{"kind", distribution.word()}};
  distribution.each_number([&](const char* name, double number, NumberRole /*role*/) {
    fields.add({name, number});
  });
  const auto has_key = [&](const CorrelatedInputs& inputs) {
    return std::find(inputs.keys.begin(), inputs.keys.end(), key) != inputs.keys.end();
  };
  fields.add({"median", distribution.quantile(0.5)});
  fields.add({"is_correlated",
              std::any_of(config.correlated.begin(), config.correlated.end(), has_key),
              "with other inputs"});
  return fields;
}

/// True when all contacts of a trial have its friction mu_jaw, as a page shows it.
bool has_one_friction(const SweepConfig& config) {
  const Scenario& scenario = config.scenario;
  const auto is_friction = [](const UncertainNumber& number) {
    return number.key.find("friction") != std::string::npos;
  };
  return scenario.gripper.mu_right < 0.0 && scenario.gripper.mu_left < 0.0 &&
         !has_friction_factors(scenario.part) &&
         std::none_of(config.uncertain.begin(), config.uncertain.end(), is_friction);
}

/// A polygon as x, y, x, y, ..., in whole ten-thousandths of a mm.
Value polygon_values(const Points& points) {
  constexpr double kPerMm = 1e4;
  std::vector<double> numbers;
  for (const Vec2& point : points) {
    for (const double x : {point.x(), point.y()})
      numbers.push_back(std::round(x * kPerMm) / kPerMm);
  }
  return numbers;
}

Value polygon_list(const std::vector<Points>& polygons) {
  return list_of(polygons, polygon_values);
}

Object part_fields(const Part& part) {
  const PartShape shape = part_shape(part);
  return {{"pieces", polygon_list(shape.pieces)},
          {"outlines", list_of(shape.outlines, polygon_list), "each with its holes"},
          {"boundary", polygon_list(shape.boundary), "open lines"},
          {"radius_mm", bounding_radius_mm(part, Vec2::Zero())}};
}

/// Fingers that are quarter-planes have no polygons.
Object gripper_fields(const Scenario& scenario) {
  constexpr double kTolerance_mm = 0.01;
  const FingerShapes shapes = finger_shapes(scenario, kTolerance_mm);
  const Gripper& gripper = scenario.gripper;
  const auto of_side = [&](JawSide side) { return polygon_list(shapes[side_index(side)]); };
  return {{"opening_mm", gripper.opening_mm},
          {"closing_force_n", gripper.closing_force_n},
          {"closing_speed_mm_s", gripper.closing_speed_mm_s},
          {"right", of_side(JawSide::kRight)},
          {"left", of_side(JawSide::kLeft)},
          {"palm", of_side(JawSide::kPalm)},
          {"obstacles", of_side(JawSide::kObstacle), "in the table's frame"},
          {"table", scenario.table == TableFrame::kPart ? "part" : "gripper",
           "whose frame the table's is at the start"}};
}

Object process_fields(const StoreProcess& process) {
  return {{"version", process.version}, {"git_commit", process.git_commit},
          {"host", process.host},       {"started_utc", process.started_utc},
          {"processes", process.ranks}, {"threads", process.threads},
          {"trials", process.trials},   {"wall_s", process.wall_s}};
}

}  // namespace

std::string run_facts_json(const RunStore& store, const RunSummary& summary,
                           const TrialTable& table, const std::string& run) {
  const SweepConfig& config = store.config();
  const PlacementSweep& placement = config.placement;
  const std::string program = program_of(config.scenario);
  const SweetSpot spot = marked_spot(summary);
  const Object distributions{
      {"mu_jaw", distribution_fields(config, "friction.jaw", config.mu_jaw)},
      {"mu_support", distribution_fields(config, "friction.support", config.mu_support)}};
  return json_document(
      {{"format", 2},
       {"name", config.name},
       {"title", run_title(config.name, store.file())},
       {"run", run},
       {"program", program},
       {"run_again", program + " run " + shell_word(config.name + ".toml")},
       {"complete", summary.complete()},
       {"adaptive", config.adaptive.has_value()},
       {"digest", table.digest},
       {"seed", std::to_string(config.seed), "a page's numbers are exact up to 2^53 only"},
       {"axes", Object{{"x_mm", axis_fields(placement.x_mm)},
                       {"y_mm", axis_fields(placement.y_mm)},
                       {"theta_rad", axis_fields(placement.theta_rad)}}},
       {"laws", distributions},
       {"has_placement_noise", has_placement_noise(placement)},
       {"one_friction", has_one_friction(config)},
       {"uncertain", list_of(config.uncertain, [](const auto& number) { return number.key; })},
       {"outcomes", list_of(kOutcomes, [](Outcome outcome) { return name(outcome); })},
       {"sweet_spot",
        sweet_spot_fields(spot, {{"wilson_95", spot.lowest_interval}},
                          {{"theta_rad", spot.theta_rad}, {"cell_theta", spot.cell_theta}})},
       {"plateau_probability", config.plateau_probability},
       {"sessions", list_of(store.processes(), process_fields)},
       {"trial_table", trial_table_fields(table)},
       {"part", part_fields(config.scenario.part)},
       {"gripper", gripper_fields(config.scenario)}});
}

}  // namespace graspmap
