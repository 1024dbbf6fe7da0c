#include "grasp/show/report/report.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "grasp/base/io/packing.hpp"
#include "grasp/sweep/store/stored_sweep.hpp"
#include "tests/support/config_error.hpp"
#include "tests/support/lock_piece.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using Catch::Contains;

TEST_CASE("a page holds its parts as base64, and its title as text") {
  ReportPage page("</title><script>alert(1)</script>");
  page.add_part("map", "</script> any bytes \xff");
  const std::string html = page.html();
  CHECK_THAT(html, Catch::StartsWith("<!doctype html>") &&
                       Contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;") &&
                       !Contains("any bytes"));
  CHECK_THAT(html, Contains("data-part=\"map\">" + base64(gzip("</script> any bytes \xff")) +
                            "</script>"));
}

TEST_CASE("a page may fetch nothing, and names no address but that of SVG") {
  std::string html = ReportPage("run").html();
  CHECK_THAT(html, Contains("content=\"default-src 'none'; script-src 'unsafe-inline' "
                            "'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:;"));
  const std::string svg = "http://www.w3.org/2000/svg";
  const std::size_t at = html.find(svg);
  REQUIRE(at != std::string::npos);
  html.erase(at, svg.size());
  CHECK_THAT(html, !Contains("http:") && !Contains("https:") && !Contains("@import") &&
                       !Contains("src=") && !Contains("fetch("));
}

/// A run of 25 cells in a folder.
RunStore small_run(const testing::TemporaryFolder& folder, const SweepConfig& config) {
  RunStore store = RunStore::create(folder.path() / "run.sqlite", config);
  store.begin_process({});
  RunTotals totals(config);
  run_stored_sweep(store, totals, {1},
                   [&](std::int64_t index, Workspace& workspace, SimulationResult& result) {
                     return run_trial(config, index, workspace, result);
                   });
  return store;
}

TEST_CASE("a report says what is in it, and hostile names of a run are packed") {
  const testing::TemporaryFolder folder;
  const SweepConfig config = testing::small_lock_piece_sweep();
  const RunStore store = small_run(folder, config);
  ReportRequest request;
  request.run = "</script><script>alert(1)";
  request.live = false;
  const Report report = make_report(store, request);
  CHECK(report.trials == 50);
  CHECK(report.trials_in_page == 50);
  CHECK(report.films >= 25);
  CHECK_FALSE(report.live);
  CHECK(report.left_out.empty());
  for (const char* part : {"run", "map", "summary", "config", "trials", "films", "frames",
                           "reasons", "sensitivity", "pose", "pose_text"}) {
    CHECK_THAT(report.html, Contains(std::string("data-part=\"") + part + '"'));
  }
  CHECK_THAT(report.html, !Contains("alert(1)") && !Contains("data-part=\"wasm\""));
  request.most_trials = 25;
  CHECK(make_report(store, request).trials_in_page == 25);
}

TEST_CASE("a report holds the designs of a folder, and refuses a folder without") {
  const testing::TemporaryFolder folder;
  const RunStore store = small_run(folder, testing::small_lock_piece_sweep());
  ReportRequest request;
  request.live = false;
  CHECK_THAT(make_report(store, request).html, !Contains("data-part=\"design\""));
  request.design = folder.path();
  CHECK_THAT(testing::config_error([&] { make_report(store, request); }),
             Contains("design.json: cannot be read"));
  const auto file = folder.path() / "design.json";
  std::ofstream(file) << "{\"name\": \"lock_piece\"}";
  CHECK(testing::config_error([&] { make_report(store, request); }) ==
        file.string() + ": is no design.json; must be the file that `graspmap design` writes");
  const std::string json = "{\"gains\": [], \"words\": \"</script>\"}";
  std::ofstream(file) << json;
  CHECK_THAT(make_report(store, request).html,
             Contains("data-part=\"design\">" + base64(gzip(json)) + "</script>"));
}

TEST_CASE("a report of a run without trials is refused") {
  const testing::TemporaryFolder folder;
  const RunStore store =
      RunStore::create(folder.path() / "run.sqlite", testing::small_lock_piece_sweep());
  ReportRequest request;
  request.run = "outputs/empty";
  CHECK(testing::config_error([&] { make_report(store, request); }) ==
        "outputs/empty: has no trials yet");
}

}  // namespace
}  // namespace graspmap
