#include "grasp/show/report/report.hpp"

#include <fmt/format.h>

#include <string_view>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/packing.hpp"
#include "grasp/base/pictures/shapes.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "grasp/decide/difference/run_difference.hpp"
#include "grasp/decide/hold/held_grasps.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/decide/pose/delivered_pose.hpp"
#include "grasp/decide/sensitivity/sensitivity.hpp"
#include "grasp/show/report/live_module.hpp"
#include "grasp/show/report/page_data.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/results/map_reasons.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {
namespace {

/// Beyond so many trials what needs all of them in memory is left out: it would take minutes.
constexpr std::int64_t kMostAnalysed = 2'000'000;

/// design.json of a folder that `graspmap design` has written.
std::string design_json(const std::filesystem::path& folder) {
  std::string text = read_csv_text(folder / "design.json");
  if (!text.starts_with('{') || text.find("\"gains\"") == std::string::npos) {
    throw config_error({(folder / "design.json").string()}, "",
                       "is no design.json; must be the file that `graspmap design` writes");
  }
  return text;
}

/// A report while it is made.
class ReportMaker {
 public:
  ReportMaker(const RunStore& store, const ReportRequest& request)
      : store_(store),
        request_(request),
        totals_(read_totals(store)),
        summary_(answered_summary(store, totals_)),
        page_(run_title(store.config().name, store.file())) {}

  Report make() {
    add_run();
    add_experiment();
    if (request_.design) page_.add_part("design", design_json(*request_.design));
    page_.add_part("headline", warning_ + headline_text(summary_, request_.run));
    add_second_run();
    add_films();
    if (report_.trials <= kMostAnalysed) {
      add_sensitivity();
      add_pose();
      add_hold();
    } else {
      leave_out(
          "Sensitivities, delivered poses and holds are not in this report: the run has too many "
          "trials.");
    }
    add_live();
    report_.html = page_.html();
    return std::move(report_);
  }

 private:
  void leave_out(std::string_view sentence) { report_.left_out.emplace_back(sentence); }

  [[nodiscard]] const SweepConfig& config() const { return store_.config(); }

  void add_run() {
    table_ = read_trial_table(store_, request_.most_trials);
    report_.trials = table_.stored;
    report_.trials_in_page = count_trials(table_.trials);
    if (report_.trials == 0) throw config_error({request_.run}, "", "has no trials yet");
    page_.add_part("run", run_facts_json(store_, summary_, table_, request_.run));
    page_.add_part("map", map_csv(totals_.map(), map_intervals(config())));
    page_.add_part("summary",
                   json_document(summary_fields(summary_, timing(store_), request_.run)));
    page_.add_part("config", store_.config_toml());
    if (const auto reasons = map_reasons(store_, totals_.map(), summary_.unmet)) {
      page_.add_part("reasons", json_document(reasons_fields(*reasons)));
    }
    page_.add_part("trials", table_.bytes);
  }

  void add_films() {
    const TrialFilms films = make_films(config(), film_trials(store_, table_));
    report_.films = films.films;
    page_.add_part("films", films.json);
    page_.add_part("frames", films.frames);
  }

  void add_sensitivity() {
    if (totals_.map().total().valid_trials() == 0) {
      leave_out("Sensitivities are not in this report: all trials failed.");
      return;
    }
    if (!config().correlated.empty()) {
      leave_out("Sensitivities are not in this report: random inputs are correlated.");
      return;
    }
    const Sensitivity result =
        analyse_sensitivity(config(), read_trial_samples(store_), std::nullopt, kConfidence);
    page_.add_part("sensitivity", json_document(sensitivity_fields(result, kConfidence)));
    page_.add_part("sensitivity_text", sensitivity_text(result, kConfidence));
  }

  void add_pose() {
    std::optional<DeliveredPoses> poses;
    try {
      poses = pose_run(store_, {});
    } catch (const ConfigError&) {
      leave_out("Delivered poses are not in this report: no grasp succeeds there.");
      return;
    }
    page_.add_part("pose", json_document(pose_fields(*poses)));
    page_.add_part("pose_text", pose_text(*poses));
  }

  void add_hold() {
    if (!config().hold) return;
    HoldRequest request;
    request.no_check = true;
    const HeldGrasps held = *hold_run(store_, request, nullptr, {});
    page_.add_part("hold", json_document(hold_fields(held)));
    page_.add_part("hold_text", hold_text(held));
  }

  void add_experiment() {
    if (!request_.experiment) return;
    const Experiment experiment =
        read_experiment(*request_.experiment, request_.experiment_columns);
    ComparisonOptions options;
    options.slice = slice_for(store_, experiment, request_.experiment_theta_rad);
    options.prediction.trials = request_.experiment_trials;
    options.prediction.threads = request_.threads;
    options.prediction.show = request_.show;
    const ExperimentComparison comparison = compare_experiment(store_, experiment, options);
    page_.add_part("compare", json_document(comparison_fields(comparison)));
    page_.add_part("compare_cells", csv_text(comparison_table(comparison)));
    page_.add_part("compare_text", comparison_text(comparison));
    if (comparison.agreement.verdict == AgreementVerdict::kDiffers) {
      warning_ = fmt::format(
          "The experiment differs from this run by more than chance explains (p = {:.2g}): do not "
          "rely on what the simulation says until it is calibrated, which is:\n",
          comparison.agreement.p_value);
    }
  }

  void add_second_run() {
    if (!request_.against) return;
    const RunStore other = RunStore::open(*request_.against, RunStore::Access::kRead);
    const RunDifference difference = compare_runs(store_, other, {});
    page_.add_part("difference", json_document(difference_fields(difference)));
    page_.add_part("difference_cells", csv_text(difference_table(difference)));
    page_.add_part("difference_text", difference_text(difference));
  }

  void add_live() {
    if (!request_.live) return;
    if (config().scenario.other_stepper) {
      leave_out("The simulator is not in this report: it has another time-stepper than the run.");
      return;
    }
    const std::optional<std::string> module = find_web_file("graspmap.wasm");
    if (!module) {
      leave_out(
          "The simulator is not in this report: this graspmap was built without it; scripts/report "
          "builds it.");
      return;
    }
    const std::string problem = why_page_cannot_run(*module, page_script());
    if (!problem.empty()) {
      leave_out("The simulator is not in this report: " + problem +
                "; scripts/report builds it again.");
      return;
    }
    page_.add_part("wasm", *module);
    report_.live = true;
  }

  static constexpr double kConfidence = 0.95;

  const RunStore& store_;
  const ReportRequest& request_;
  RunTotals totals_;
  RunSummary summary_;
  ReportPage page_;
  TrialTable table_;
  std::string warning_;  ///< what the headline must not be read without
  Report report_;
};

}  // namespace

Report make_report(const RunStore& store, const ReportRequest& request) {
  return ReportMaker(store, request).make();
}

ReportPage::ReportPage(std::string_view title) : title_(xml_text(title)) {}

std::string page_part(std::string_view name, std::string_view bytes) {
  return fmt::format("<script type=\"text/plain\" data-part=\"{}\">{}</script>\n", xml_text(name),
                     base64(gzip(bytes)));
}

void ReportPage::add_part(std::string_view name, std::string_view bytes) {
  parts_ += page_part(name, bytes);
}

std::string ReportPage::html() const {
  // The page may run what is in it, and fetch nothing, from nowhere.
  constexpr const char* kHead = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>)html";
  return kHead + title_ + "</title>\n<style>" + page_style() + "</style>\n</head>\n<body>\n" +
         page_body() + parts_ + "<script type=\"module\">" + page_script() +
         "</script>\n</body>\n</html>\n";
}

}  // namespace graspmap
