#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/show/report/page_data.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// A report that is asked for.
struct ReportRequest {
  std::string run;                                  ///< as a person named it
  bool live = true;                                 ///< with the simulator, where there is one
  std::optional<std::filesystem::path> experiment;  ///< trials of a laboratory, as for compare
  std::vector<std::string> experiment_columns;      ///< what its columns are called, as --columns
  std::optional<double> experiment_theta_rad;       ///< their angle, for a run over several
  std::optional<std::int64_t> experiment_trials;    ///< to simulate for it, about
  std::optional<std::filesystem::path> against;     ///< the store of a second run
  std::optional<std::filesystem::path> design;      ///< the folder of what `design` has found
  std::int64_t most_trials = kMostReportTrials;
  int threads = 0;       ///< of what is simulated for an experiment
  ShowTrials show = {};  ///< of that
};

/// A report, and what a person should know of it.
struct Report {
  std::string html;
  std::int64_t trials = 0;            ///< of the run
  std::int64_t trials_in_page = 0;    ///< of them
  std::size_t films = 0;              ///< trials that move without the simulator
  bool live = false;                  ///< the simulator is in it
  std::vector<std::string> left_out;  ///< what is not in it, and why: a sentence each
};

/// The report of a run: one HTML file. Throws ConfigError when the run has no trials, or the
/// experiment, the second run or the folder of designs does not fit; else as RunStore.
Report make_report(const RunStore& store, const ReportRequest& request);

/// A part of a page, which unpacks it by its name: base64 of gzip in an element of its own.
std::string page_part(std::string_view name, std::string_view bytes);

/// A page that is put together: one HTML file with all that it needs, and no address in it. What
/// comes from files and names is base64 of gzip, or escaped: nothing in it can become markup.
class ReportPage {
 public:
  /// `title` is any text.
  explicit ReportPage(std::string_view title);

  /// A part that the page unpacks by its name: letters and '_'.
  void add_part(std::string_view name, std::string_view bytes);
  /// The finished page.
  [[nodiscard]] std::string html() const;

 private:
  std::string title_;
  std::string parts_;
};

/// The page of a report as it was built: web/report, bundled. The definitions are
/// written by scripts/cmake/EmbedPage.cmake.

std::string page_style();   ///< CSS
std::string page_body();    ///< HTML
std::string page_script();  ///< JavaScript, a module

}  // namespace graspmap
