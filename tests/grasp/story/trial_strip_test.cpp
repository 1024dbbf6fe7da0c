#include "grasp/story/trial_strip.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>

#include "grasp/figures/text_layout.hpp"
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
      read_sweep_config(std::filesystem::path(GRASPMAP_SOURCE_DIR) / "configs" / file, {});
  Drawn drawn{tell_trial(config, parameters), ""};
  drawn.svg = trial_strip(drawn.story, config.scenario, title);
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

}  // namespace
}  // namespace graspmap
