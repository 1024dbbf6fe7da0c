#include "web/engine/page_run.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/decide/design/design_search.hpp"
#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/show/report/page_data.hpp"
#include "grasp/sweep/config/config_document.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/results/map_reasons.hpp"

namespace graspmap {

PageRun::PageRun(const SweepConfig& config, const std::filesystem::path& file)
    : store_(RunStore::create(file, config)), totals_(config) {}

TrialRanges PageRun::missing() const {
  return totals_.rounds ? totals_.rounds->missing()
                        : graspmap::missing(store_.stored(), store_.asked());
}

std::string PageRun::simulate(TrialRange trials) {
  std::string records;
  records.reserve(static_cast<std::size_t>(trials.trials()) * kTrialRecordBytes);
  for (std::int64_t index = trials.first; index < trials.end; ++index) {
    const TrialRecord record = encode(run_trial(store_.config(), index, workspace_, result_));
    records.append(reinterpret_cast<const char*>(record.data()), record.size());
  }
  return records;
}

void PageRun::take(std::string_view records) {
  if (records.size() % kTrialRecordBytes != 0) throw RequestError("must be whole records");
  std::vector<TrialRow> rows;
  rows.reserve(records.size() / kTrialRecordBytes);
  for (; !records.empty(); records.remove_prefix(kTrialRecordBytes)) {
    TrialRecord record;
    std::memcpy(record.data(), records.data(), record.size());
    rows.push_back(decode(record));
  }
  take_rows(rows);
}

void PageRun::take_outcomes(const TrialRanges& trials, std::string_view outcomes) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (count_trials(trials) != std::ssize(outcomes)) {
    throw RequestError("must be as many outcomes as trials");
  }
  std::vector<TrialRow> rows;
  rows.reserve(outcomes.size());
  for (const TrialRange& range : trials) {
    for (std::int64_t index = range.first; index < range.end; ++index) {
      const auto outcome =
          static_cast<std::size_t>(static_cast<unsigned char>(outcomes[rows.size()]));
      if (outcome >= kOutcomeCount) throw RequestError("must be numbers of outcomes");
      const SampledTrial drawn = sample_trial(store_.config(), index);
      TrialRow& row = rows.emplace_back();
      row.index = index;
      row.set_cell(drawn.cell());
      row.parameters = drawn.parameters;
      row.outcome = kOutcomes[outcome];
      row.end_time_s = row.jaw_right_mm = row.jaw_left_mm = kNaN;
      row.final_pose = {{kNaN, kNaN}, kNaN};
    }
  }
  ends_known_ = ends_known_ && rows.empty();
  take_rows(rows);
}

void PageRun::take_rows(std::vector<TrialRow>& rows) {
  const auto is_before = [](const TrialRow& a, const TrialRow& b) { return a.index < b.index; };
  std::sort(rows.begin(), rows.end(), is_before);
  store_.append_blocks(rows, 0.0);
  for (const TrialRow& row : rows) totals_.add(row);
  forget();
}

void PageRun::forget() {
  quick_.reset();
  whole_.reset();
  field_.reset();
}

void PageRun::keep(const PageRun& other) {
  const SweepConfig& before = other.store_.config();
  const SweepConfig& now = store_.config();
  if (other.totals_.map().total().trials() == 0 || before.adaptive || now.adaptive) return;
  if (!sweep_differences_text(before, now).empty()) return;
  std::vector<TrialRow> rows;
  other.store_.for_each([&](const TrialRow& row) {
    if (row.index < now.trials()) rows.push_back(row);
  });
  take_rows(rows);
  ends_known_ = other.ends_known_;
}

void PageRun::extend(int trials_per_cell) {
  if (store_.config().adaptive) throw RequestError("an adaptive run has its own number of trials");
  if (trials_per_cell < store_.config().trials_per_cell) throw RequestError("a run cannot shrink");
  store_.extend(trials_per_cell);
  forget();
}

const SuccessField& PageRun::field() const {
  if (!field_) {
    const SweepConfig& config = store_.config();
    SuccessField field(config.placement.axes(), read_trial_samples(store_), config.points);
    if (field.trials() == 0) throw RequestError("the run has no trials yet");
    field_ = std::move(field);
  }
  return *field_;
}

void PageRun::need_ends() const {
  if (!ends_known_) throw RequestError("of these trials only the outcomes are known");
}

const RunSummary& PageRun::quick_summary() const {
  if (!quick_) {
    quick_ = summarize(store_.config(), totals_, store_.trials_asked());
    quick_->robot = robot_answer(store_, *quick_);
  }
  return *quick_;
}

const RunSummary& PageRun::whole_summary() const {
  if (!whole_) whole_ = answered_summary(store_, totals_);
  return *whole_;
}

std::string PageRun::part(std::string_view name) const {
  constexpr const char* folder = "";  // a page has no disk
  if (name == "config") return store_.config_toml();
  if (name == "answer") {
    const RunSummary& summary = quick_summary();
    return json_text(
        Object{{"headline", headline_text(summary, folder)},
               {"complete", summary.complete()},
               {"trials_per_cell", store_.config().trials_per_cell},
               {"trials", summary.trials_done},
               {"trials_asked", summary.trials_asked},
               {"failed", summary.totals.count(Outcome::kFailed)},
               {"standard_error", mean_standard_error(totals_.map()), "mean over the mixed cells"},
               {"independent_trials", summary.independent_trials}});
  }
  if (name == "map") {
    return map_csv(totals_.map(),
                   totals_.rounds ? MapIntervals::kWilsonAndAnytime : MapIntervals::kWilson);
  }
  if (name == "facts") {
    return run_facts_json(store_, quick_summary(), read_trial_table(store_), folder);
  }
  if (name == "finger.dxf" || name == "finger.svg") {
    for (const auto& [file, text] : finger_drawings(store_.config())) {
      if (file == name) return text;
    }
    throw RequestError("these fingers are quarter-planes, which have no outline to draw");
  }
  if (name == "digest") return read_trial_table(store_, 0).digest;
  if (name == "trials_csv") return trials_csv(store_);
  if (name == "trials") return read_trial_table(store_).bytes;
  if (name == "summary") {
    return json_document(summary_fields(whole_summary(), timing(store_), folder));
  }
  if (name == "text") return summary_text(whole_summary(), timing(store_), folder);
  if (name == "reasons") {
    const auto reasons = map_reasons(store_, totals_.map(), whole_summary().unmet);
    return reasons ? json_document(reasons_fields(*reasons)) : "null";
  }
  throw RequestError(
      "no such part; must be answer, config, digest, facts, finger.dxf, finger.svg, map, reasons, "
      "summary, text, trials or trials_csv");
}

}  // namespace graspmap
