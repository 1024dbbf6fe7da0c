#include "grasp/show/report/trial_films.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "grasp/base/io/json_document.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_scene.hpp"

namespace graspmap {
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
  Film film{trial, trial_text(story, story.scenario), {}};
  for (const std::size_t k : evenly_in_time(story.trajectory, kMostFilmFrames)) {
    film.frames.push_back(scene_at(story, story.scenario, k));
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
  const Vec2 tangent(-n.y(), n.x());
  append_word(bytes, static_cast<std::uint16_t>(static_cast<unsigned>(contact.side) +
                                                kSides * static_cast<unsigned>(contact.grip)));
  append_fraction(bytes, fraction(contact.point_G_mm.x(), scale.length_mm));
  append_fraction(bytes, fraction(contact.point_G_mm.y(), scale.length_mm));
  append_fraction(bytes, std::atan2(n.y(), n.x()) / std::numbers::pi);
  append_fraction(bytes, fraction(contact.force_n.dot(n), scale.force_n));
  append_fraction(bytes, fraction(contact.force_n.dot(tangent), scale.force_n));
}

void append_frame(std::string& bytes, const Scene& frame, const FilmScale& scale) {
  append_fraction(bytes, fraction(frame.time_s, scale.time_s));
  append_fraction(bytes, fraction(frame.part_pose.position_mm.x(), scale.length_mm));
  append_fraction(bytes, fraction(frame.part_pose.position_mm.y(), scale.length_mm));
  append_fraction(bytes, fraction(frame.part_pose.angle_rad, scale.angle_rad));
  append_fraction(bytes, fraction(frame.jaw_right_mm, scale.length_mm));
  append_fraction(bytes, fraction(frame.jaw_left_mm, scale.length_mm));
  append_word(bytes, static_cast<std::uint16_t>(frame.contacts.size()));
  for (const SceneContact& contact : frame.contacts) append_contact(bytes, contact, scale);
}

void write_film(JsonWriter& json, const Film& film, const FilmScale& scale, std::string& bytes) {
  json.object([&] {
    json.field("trial", film.trial);
    json.field("begins_at", static_cast<std::int64_t>(bytes.size() / 2));
    json.field("frames", static_cast<std::int64_t>(film.frames.size()));
    json.field("story", std::string_view(film.story));
  });
  for (const Scene& frame : film.frames) append_frame(bytes, frame, scale);
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
  result.json = json_document([&](JsonWriter& json) {
    json.object("scale", [&] {
      json.field("time_s", scale.time_s);
      json.field("length_mm", scale.length_mm);
      json.field("part_theta_rad", scale.angle_rad);
      json.field("normal_rad", std::numbers::pi);
      json.field("force_n", scale.force_n);
    });
    json.array("films", films,
               [&](const Film& film) { write_film(json, film, scale, result.frames); });
  });
  return result;
}

}  // namespace graspmap
