#include "grasp/show/story/trial_animation.hpp"

#include <catch2/catch.hpp>

#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/pictures/gif.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/outline_stories.hpp"

namespace graspmap {
namespace {

std::string animation(const TrialParameters& parameters, const std::string& gnuplot = "gnuplot") {
  const SweepConfig config = testing::small_lock_piece_sweep();
  return trial_animation(tell_trial(config, parameters), config.scenario, "it's a \"trial\"",
                         gnuplot);
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
  const std::string script = trial_animation_script(story, config.scenario, "t");
  CHECK_THAT(script, Catch::Contains("(10 times slower)") &&
                         Catch::Contains("success: the jaws stood still for 0.02 s"));
}

TEST_CASE("an animation of outlines names what is touched, and cuts fingers at the window") {
  const Scenario scenario = testing::ring_scenario();
  const TrialStory story = testing::ring_story(scenario);
  const std::string script = trial_animation_script(story, scenario, "t");
  CHECK_THAT(script, Catch::Contains("'arc 1' at 10.7074,-1.9694 right") &&
                         Catch::Contains("$finger_palm_filled << EOD") &&
                         Catch::Contains("$outline_0_filled << EOD") &&
                         !Catch::Contains("10000.0") && !Catch::Contains("rectangle from 3"));
  CHECK(gif_delays(trial_animation(story, scenario, "t")).size() > 20);
}

TEST_CASE("an animation without gnuplot is an IoError") {
  CHECK_THROWS_AS(animation({1.5, -8, 0, 0.2, 0.3}, "/nowhere/gnuplot"), IoError);
  CHECK_THROWS_AS(animation({1.5, -8, 0, 0.2, 0.3}, "/bin/true"), IoError);
}

TEST_CASE("a GIF that is cut short or is none is an IoError") {
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
