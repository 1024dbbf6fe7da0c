#include "grasp/show/story/trial_drawing.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/outline_stories.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/xml.hpp"

namespace graspmap {
namespace {

using testing::xml_problem;

struct Drawn {
  TrialStory story;
  std::string svg;
};

Drawn draw(const std::string& file, const TrialParameters& parameters,
           const std::string& title = "trial 7") {
  const SweepConfig config =
      read_sweep_config(std::filesystem::path(testing::source_dir()) / "configs" / file, {});
  Drawn drawn{tell_trial(config, parameters), ""};
  drawn.svg = trial_strip(drawn.story, title);
  return drawn;
}

constexpr TrialParameters kSuccess{1.5, -8, 0, 0.2, 0.3};

std::vector<std::smatch> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return {std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()};
}

double number(const std::ssub_match& text) { return std::stod(text.str()); }

TEST_CASE("a strip is well-formed, whatever becomes of the trial") {
  const auto [file, parameters] = GENERATE(table<std::string, TrialParameters>({
      {"lock_piece.toml", kSuccess},
      {"lock_piece.toml", {-4, -2, 0, 0.3, 0.2}},
      {"lock_piece.toml", {-8.2195, -19.945, 0, 0.32094, 0.31545}},
      {"lock_piece.toml", {15, -5, 0, 0.2, 0.3}},
      {"lock_piece.toml", {0, -30, 0, 0.2, 0.3}},
      {"lock_piece.toml", {-5, -9, 0, 0, 0.2}},
      {"bolt.toml", {5, -2, 0.2, 0.25, 0.2}},
      {"trefoil.toml", {2, -4, 1, 0.2, 0.2}},
  }));
  CAPTURE(file, parameters.placement_x_mm);
  const Drawn drawn = draw(file, parameters, "a & b < \"c\"");
  CHECK(xml_problem(drawn.svg) == "");
  CHECK_THAT(drawn.svg, Catch::Contains(">a &amp; b &lt; &quot;c&quot;<") &&
                            Catch::Contains(name(drawn.story.row.outcome)) &&
                            !Catch::Contains("nan") && !Catch::Contains("inf"));
  CHECK(draw(file, parameters, "a & b < \"c\"").svg == drawn.svg);
}

TEST_CASE("arrows are as long as their forces are large, the legend's too") {
  const Drawn drawn = draw("lock_piece.toml", kSuccess);
  const std::string arrow =
      R"re(<line class="shaft" x1="([-0-9.]+)" y1="([-0-9.]+)"[^>]*>\s*<polygon class="head" points="([-0-9.]+),([-0-9.]+) )re";
  const auto length = [](const std::smatch& m, std::size_t first) {
    return std::hypot(number(m[first + 2]) - number(m[first]),
                      number(m[first + 3]) - number(m[first + 1]));
  };
  const auto legend =
      matches(drawn.svg, arrow + R"re([^/]*/>\s*</g>\s*<text[^>]*>([0-9.]+) N on)re");
  REQUIRE(legend.size() == 1);
  const double px_per_n = length(legend[0], 1) / number(legend[0][5]);
  const auto forces = matches(
      drawn.svg, R"re(jaw: ([0-9.e-]+) N</title>\s*(?:<polygon class="cone"[^>]*>\s*)?)re" + arrow);
  REQUIRE(forces.size() >= 6);
  int long_ones = 0;
  for (const std::smatch& force : forces) {
    CAPTURE(force.str());
    CHECK(std::abs(length(force, 2) - px_per_n * number(force[1])) < 0.05);
    if (length(force, 2) > 20) ++long_ones;
  }
  CHECK(long_ones >= 2);  // the grasp at the end
}

TEST_CASE("all pictures of a strip show the same window at the same scale") {
  const Drawn drawn = draw("lock_piece.toml", kSuccess);
  const auto viewports = matches(
      drawn.svg, R"re(<svg x="[0-9.]+" y="[0-9.]+" width="([0-9.]+)" height="([0-9.]+)")re");
  REQUIRE(viewports.size() >= 4);
  std::set<std::string> sizes;
  for (const std::smatch& m : viewports) sizes.insert(m[1].str() + " x " + m[2].str());
  CHECK(sizes.size() == 1);
  // Where the part's origin started is the same point of G in each, and so are the jaws' top edges.
  std::multiset<std::string> starts;
  for (const std::smatch& m :
       matches(drawn.svg, R"re(class="path_start" cx="([0-9.]+)" cy="([0-9.]+)")re")) {
    starts.insert(m[1].str() + " " + m[2].str());
  }
  CHECK(starts.count(*starts.begin()) == viewports.size());
  std::set<std::string> tops;
  for (const std::smatch& m : matches(drawn.svg, R"re(<rect class="jaw"[^>]*y="([0-9.]+)")re")) {
    tops.insert(m[1].str());
  }
  CHECK(tops.size() == 1);
}

TEST_CASE("the words of a strip stay within the picture") {
  const Drawn drawn = draw("trefoil.toml", {2, -4, 1, 0.2, 0.2}, std::string(500, 'w'));
  const auto size = matches(drawn.svg, R"re(width="([0-9.]+)" height="([0-9.]+)" viewBox)re");
  REQUIRE(size.size() == 1);
  const auto texts =
      matches(drawn.svg,
              R"re(<text class="(heading|words|legend)" x="([0-9.]+)" y="([0-9.]+)">([^<]*)<)re");
  REQUIRE(texts.size() > 10);
  for (const std::smatch& text : texts) {
    CAPTURE(text.str());
    const double font_px = text[1] == "heading" ? 17 : text[1] == "words" ? 13 : 12;
    CHECK(number(text[2]) + text_width_px(text[4].str(), font_px) <= number(size[0][1]));
    CHECK(number(text[3]) < number(size[0][2]));
  }
}

/// The texts of elements with the class "label" that are no forces.
std::multiset<std::string> labels(const std::string& svg) {
  std::multiset<std::string> labels;
  for (const std::smatch& m : matches(svg, R"re(class="label"[^>]*>([^<]*)<)re")) {
    if (!m[1].str().ends_with(" N")) labels.insert(m[1]);
  }
  return labels;
}

TEST_CASE("a strip of outlines is well-formed and names what is touched, once a picture") {
  const Scenario scenario = testing::scenario_of(testing::hexagon());
  const std::string svg = trial_strip(testing::hexagon_story(scenario), "t");
  CHECK(xml_problem(svg) == "");
  CHECK(labels(svg) == std::multiset<std::string>{"corner 1", "corner 3", "corner 4", "corner 6"});
}

TEST_CASE("holes are holes, and a finger's outline is drawn as far as the picture reaches") {
  const Scenario scenario = testing::ring_scenario();
  const std::string svg = trial_strip(testing::ring_story(scenario), "t");
  CHECK(xml_problem(svg) == "");
  CHECK_THAT(svg, Catch::Contains("on the palm: 3 N</title>") &&
                      Catch::Contains("arc 1 on the right jaw: 6 N</title>") &&
                      !Catch::Contains("<rect class=\"jaw\""));
  const auto pictures = matches(svg, R"re(class="path_start")re").size() - 1;  // and the legend's
  CHECK(matches(svg, R"re(<path class="piece" fill-rule="evenodd" d="M[^MZ]*ZM[^MZ]*Z"/>)re")
            .size() == pictures);
  for (const char* style : {"jaw", "jaw_edge"}) {
    const auto regions =
        matches(svg, fmt::format(R"re(<path class="{}" fill-rule="evenodd" d="([^"]*)")re", style));
    CHECK(regions.size() == 3 * pictures);
    for (const std::smatch& region : regions) {
      const std::string path = region[1];
      for (const std::smatch& m : matches(path, "-?[0-9.]+")) {
        CHECK(std::abs(number(m[0])) < 320);  // the picture's width, and a little
      }
    }
  }
}

TEST_CASE("a part of 500 elements gets names where it is touched only") {
  OutlineLoop gear;
  for (int k = 0; k < 500; ++k) {
    const double angle = 2 * std::numbers::pi * k / 500;
    gear.push_back({(k % 2 == 0 ? 17.0 : 16.5) * Vec2(std::cos(angle), std::sin(angle)), 0.1, ""});
  }
  const Scenario scenario = testing::scenario_of({gear, {}});
  const TrialStory story =
      testing::story_of(scenario, {{0, -3}, 0}, {{0, -3}, 0}, 17,
                        {testing::pushing_contact(500, JawSide::kRight, {17, -3}, {-1, 0}, 6),
                         testing::pushing_contact(249, JawSide::kLeft, {-17, -3}, {1, 0}, 6)});
  const std::string svg = trial_strip(story, "t");
  CHECK(labels(svg) == std::multiset<std::string>{"corner 1", "arc 250"});
  const auto pictures = matches(svg, R"re(class="path_start")re").size();
  CHECK(matches(svg, R"re(<polyline class="boundary")re").size() <= pictures);
}

std::string animation(const TrialParameters& parameters, const std::string& gnuplot = "gnuplot") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  return trial_animation(tell_trial(config, parameters), "it's a \"trial\"", gnuplot);
}

unsigned hundredths(const std::string& gif, std::size_t at) {
  return static_cast<unsigned char>(gif[at]) + 256u * static_cast<unsigned char>(gif[at + 1]);
}

TEST_CASE("an animation is a GIF of up to 150 frames that holds the last one") {
  const std::string gif = animation({1.5, -8, 0, 0.2, 0.3});
  CHECK_THAT(gif, Catch::StartsWith("GIF89a"));
  const std::vector<std::size_t> delays = gif_delays(gif);
  CHECK(delays.size() > 50);
  CHECK(delays.size() <= 150);
  CHECK(hundredths(gif, delays.front()) == 4);
  CHECK(hundredths(gif, delays.back()) == 250);
}

TEST_CASE("an animation of a blocked trial is one picture") {
  CHECK(gif_delays(animation({15, -5, 0, 0.2, 0.3})).size() == 1);
}

TEST_CASE("the script of an animation says how slow it is, and how the trial ends") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  const TrialStory story = tell_trial(config, {1.5, -8, 0, 0.2, 0.3});
  const std::string script = trial_animation_script(story, "t");
  CHECK_THAT(script, Catch::Contains("(10 times slower)") &&
                         Catch::Contains("success: the jaws stood still for 0.02 s"));
}

TEST_CASE("an animation of outlines names what is touched, and cuts fingers at the window") {
  const Scenario scenario = testing::ring_scenario();
  const TrialStory story = testing::ring_story(scenario);
  const std::string script = trial_animation_script(story, "t");
  CHECK_THAT(script, Catch::Contains("'arc 1' at ") &&
                         Catch::Contains("$finger_palm_filled << EOD") &&
                         Catch::Contains("$outline_0_filled << EOD") &&
                         !Catch::Contains("10000.0") && !Catch::Contains("rectangle from 3"));
  CHECK(gif_delays(trial_animation(story, "t")).size() > 20);
}

TEST_CASE("names of elements in a picture lie apart, or the later one is left out") {
  const Scenario scenario = testing::scenario_of(testing::hexagon());
  const auto touches = [](const std::vector<int>& features) {
    std::vector<ContactRecord> contacts;
    for (const int feature : features) {
      contacts.push_back(testing::pushing_contact(feature, JawSide::kRight, {12, -1}, {-1, 0}, 4));
    }
    return contacts;
  };
  // Elements 1 to 5 and a corner, all touched at one point: there is room for some of the names.
  const TrialStory story = testing::story_of(scenario, {{0, -8}, 0.0}, {{0, -8}, 0.0}, 12.0,
                                             touches({0, 1, 2, 3, 4, 6}));
  const std::string script = trial_animation_script(story, "t");
  const std::string last = script.substr(script.rfind("set label 100000"));
  const std::regex label(R"re(set label \d+ '([^']*)' at ([-\d.]+),([-\d.]+) center noenhanced)re");
  std::vector<Vec2> centers;
  for (auto at = std::sregex_iterator(last.begin(), last.end(), label);
       at != std::sregex_iterator(); ++at) {
    centers.emplace_back(std::stod((*at)[2]), std::stod((*at)[3]));
  }
  CHECK(centers.size() >= 2);
  CHECK(centers.size() < 6);
  constexpr double kLeast_mm = 1.0;  // 9 pixels or more at any scale of this window
  for (std::size_t k = 0; k < centers.size(); ++k) {
    for (std::size_t other = 0; other < k; ++other) {
      CHECK((centers[k] - centers[other]).norm() > kLeast_mm);
    }
  }
}

TEST_CASE("an animation without gnuplot is an IoError") {
  CHECK_THROWS_AS(animation({1.5, -8, 0, 0.2, 0.3}, "/nowhere/gnuplot"), IoError);
  CHECK_THROWS_AS(animation({1.5, -8, 0, 0.2, 0.3}, "/bin/true"), IoError);
}

TEST_CASE("a GIF that is cut short, or no GIF at all, is an IoError") {
  const std::string gif = animation({15, -5, 0, 0.2, 0.3});
  REQUIRE(gif_delays(gif).size() == 1);
  for (const std::size_t length : {std::size_t{0}, std::size_t{3}, std::size_t{12}, std::size_t{20},
                                   gif.size() / 2, gif.size() - 1}) {
    CAPTURE(length);
    CHECK_THROWS_AS(gif_delays(std::string_view(gif).substr(0, length)), IoError);
  }
  CHECK_THROWS_AS(gif_delays("PNG and more bytes than a GIF's header has"), IoError);
}

}  // namespace

}  // namespace graspmap
