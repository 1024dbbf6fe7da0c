#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "grasp/decide/plan/plan_request.hpp"
#include "grasp/show/story/given_trials.hpp"
#include "grasp/show/story/trial_drawing.hpp"
#include "grasp/show/story/trial_report.hpp"
#include "grasp/show/story/trial_story.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/results/derived_files.hpp"
#include "grasp/sweep/results/summary.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "grasp/sweep/trials/trial_record.hpp"
#include "python/native.hpp"
#include "python/values.hpp"
#include "python/watched_work.hpp"

namespace graspmap::python {
namespace {

/// A trial that was simulated with all that was seen of it.
struct ToldTrial {
  std::shared_ptr<const SweepConfig> config;
  TrialStory story;
  std::string title;        ///< of its pictures
  std::string differences;  ///< how a stored trial that was run again differs; empty: it does not
  bool is_stored = false;   ///< belongs to a run: index and cell count
};

}  // namespace

namespace py = pybind11;
namespace fs = std::filesystem;
namespace {

/// A stored run that is open for reading, by one thread at a time. All but close() and the
/// properties work without the GIL.
class StoredRunReader {
 public:
  explicit StoredRunReader(const fs::path& run) : file_(store_file(run)) { reload(); }

  void close() {
    const py::gil_scoped_release without_python;
    const std::lock_guard lock(mutex_);
    store_.reset();
    totals_.reset();
    config_.reset();
  }

  /// Reads the run as it is now: others may have added trials.
  void reload() {
    const py::gil_scoped_release without_python;
    const std::lock_guard lock(mutex_);
    store_.emplace(RunStore::open(file_, RunStore::Access::kRead));
    totals_.reset();
    config_ = std::make_shared<const SweepConfig>(store_->config());
  }

  [[nodiscard]] bool is_closed() {
    const py::gil_scoped_release without_python;
    const std::lock_guard lock(mutex_);
    return !store_;
  }

  [[nodiscard]] const fs::path& file() const { return file_; }
  [[nodiscard]] fs::path run() const { return run_of(file_); }

  /// Gives the store to `use`, which runs without the GIL, while Python may interrupt it.
  void with_store(const std::function<void(const RunStore&, const std::atomic<int>& stop)>& use) {
    run_watched([&](const std::atomic<int>& stop) {
      const std::lock_guard lock(mutex_);
      use(store(), stop);
    });
  }

  /// The same with what the trials add up to.
  void with_totals(const std::function<void(const RunStore&, const RunTotals&)>& use) {
    with_store([&](const RunStore& store, const std::atomic<int>& stop) {
      if (!totals_) {
        RunTotals totals(store.config());
        store.for_each([&](const TrialRow& row) {
          if (stop != 0) throw WorkStopped{};
          totals.add(row);
        });
        totals_.emplace(std::move(totals));
      }
      use(store, *totals_);
    });
  }

  /// A short look at the store, with the GIL.
  template <typename At>
  auto look(const At& at) {
    const py::gil_scoped_release without_python;
    const std::lock_guard lock(mutex_);
    return at(store());
  }

  /// To be called by `use` and `at` only: others may close the run, or load it again, meanwhile.
  [[nodiscard]] const std::shared_ptr<const SweepConfig>& config() const { return config_; }

 private:
  [[nodiscard]] const RunStore& store() const {
    if (store_) return *store_;
    throw ClosedRun(fmt::format("{}: the run is closed; open it again with graspmap.open",
                                run_of(file_).string()));
  }

  fs::path file_;
  std::mutex mutex_;
  std::optional<RunStore> store_;
  std::optional<RunTotals> totals_;
  std::shared_ptr<const SweepConfig> config_;
};

/// `n` numbers of each cell, which `of` returns: (theta, y, x, number).
template <typename Number, std::size_t n>
py::array_t<Number> cell_numbers(StoredRunReader& run,
                                 std::array<Number, n> (*of)(const CellCounts&)) {
  std::optional<SuccessMap> map;
  run.with_totals([&](const RunStore&, const RunTotals& totals) { map = totals.map(); });
  py::array_t<Number> array(
      {map->theta_rad.cells, map->y_mm.cells, map->x_mm.cells, static_cast<int>(n)});
  Number* at = array.mutable_data();
  for (const CellCounts& cell : map->cells) {
    const std::array<Number, n> numbers = of(cell);
    at = std::copy(numbers.begin(), numbers.end(), at);
  }
  return array;
}

/// Counts by outcome.
py::array_t<std::int64_t> counts(StoredRunReader& run) {
  return cell_numbers(
      run, +[](const CellCounts& cell) { return cell.by_outcome; });
}

/// The bounds of the success probability.
py::array_t<double> intervals(StoredRunReader& run) {
  return cell_numbers(
      run, +[](const CellCounts& cell) {
        const Interval interval = cell.success_interval();
        return std::array{interval.low, interval.high};
      });
}

/// (min, max, cells) of x_mm, y_mm, theta_rad.
py::tuple axes(StoredRunReader& run) {
  const CellGrid grid =
      run.look([](const RunStore& store) -> CellGrid { return store.config().placement; });
  py::list list;
  for (const Axis& axis : grid.axes()) list.append(py::make_tuple(axis.min, axis.max, axis.cells));
  return py::tuple(list);
}

/// what(summary, timing) of the run as it is.
template <typename F>
auto of_summary(StoredRunReader& run, const F& what) {
  std::optional<std::invoke_result_t<F, RunSummary, RunTiming>> found;
  run.with_totals([&](const RunStore& store, const RunTotals& totals) {
    found = what(answered_summary(store, totals), timing(store));
  });
  return *found;
}

bool is_complete(StoredRunReader& run) {
  bool complete = false;
  run.with_totals([&](const RunStore& store, const RunTotals& totals) {
    complete = totals.is_complete(store.trials_asked());
  });
  return complete;
}

/// All stored trials, written straight into the array.
py::array trials(StoredRunReader& run) {
  std::shared_ptr<const SweepConfig> config;
  const std::int64_t count = run.look([&](const RunStore& store) {
    config = run.config();
    return count_trials(store.stored());
  });
  const UncertainColumns uncertain(*config);
  const py::array array = new_trial_array(TrialFields::kAll, uncertain, count);
  auto* begin = static_cast<std::byte*>(const_cast<py::array&>(array).mutable_data());
  std::int64_t written = 0;
  const std::size_t bytes = record_bytes(TrialFields::kAll, uncertain);
  run.with_store([&](const RunStore& store, const std::atomic<int>& stop) {
    if (run.config() != config) throw ClosedRun("the run was loaded again while it was read");
    store.for_each([&](const TrialRow& row) {
      if (stop != 0) throw WorkStopped{};
      if (written == count) return;  // added by others since they were counted
      write_record(row, TrialFields::kAll, uncertain,
                   begin + static_cast<std::size_t>(written++) * bytes);
    });
  });
  return array[py::slice(0, written, 1)];
}

std::string digest(StoredRunReader& run) {
  TrialDigest digest;
  run.with_store([&](const RunStore& store, const std::atomic<int>& stop) {
    store.for_each([&](const TrialRow& row) {
      if (stop != 0) throw WorkStopped{};
      digest.add(row);
    });
  });
  return digest.hex();
}

std::optional<Outcome> outcome_of(const std::optional<std::string>& word) {
  if (!word) return std::nullopt;
  std::string words;
  for (const Outcome outcome : kOutcomes) {
    if (*word == name(outcome)) return outcome;
    words += fmt::format("{}{}", words.empty() ? "" : ", ", name(outcome));
  }
  throw WrongCall(fmt::format("outcome: '{}'; must be one of {}", *word, words));
}

/// Runs a stored trial again.
ToldTrial replay(StoredRunReader& run, std::optional<std::int64_t> index,
                 const std::optional<std::vector<double>>& cell,
                 const std::optional<std::string>& outcome) {
  TrialChoice choice{index, std::nullopt, outcome_of(outcome)};
  if (cell) {
    if (cell->size() != 2 && cell->size() != 3) {
      throw WrongCall("cell: must be (x_mm, y_mm) or (x_mm, y_mm, theta_rad)");
    }
    choice.placement_mm = Vec2((*cell)[0], (*cell)[1]);
    if (cell->size() == 3) choice.theta_rad = (*cell)[2];
  }
  ToldTrial trial;
  run.with_store([&](const RunStore& store, const std::atomic<int>&) {
    Reproduction reproduction = reproduce(store.config(), chosen_trial(store, choice));
    if (!reproduction.is_exact()) trial.differences = difference_text(reproduction, store);
    trial.config = run.config();
    trial.story = std::move(reproduction.story);
    trial.title = fmt::format("{}, trial {}", store.config().name, trial.story.row.index);
    trial.is_stored = true;
  });
  return trial;
}

py::array worst(StoredRunReader& run, std::int64_t count) {
  if (count < 1) throw WrongCall(fmt::format("count: {}; must be a whole number >= 1", count));
  std::vector<TrialRow> rows;
  std::shared_ptr<const SweepConfig> config;
  run.with_store([&](const RunStore& store, const std::atomic<int>&) {
    rows = worst_trials(store, static_cast<std::size_t>(count));
    config = run.config();
  });
  return trial_array(TrialFields::kAll, UncertainColumns(*config), rows);
}

py::list processes(StoredRunReader& run) {
  py::list list;
  for (const StoreProcess& process :
       run.look([](const RunStore& store) { return store.processes(); })) {
    py::dict fields;
    fields["version"] = process.version;
    fields["git_commit"] = process.git_commit;
    fields["host"] = process.host;
    fields["started_utc"] = process.started_utc;
    fields["processes"] = process.ranks;
    fields["threads"] = process.threads;
    fields["trials"] = process.trials;
    fields["wall_s"] = process.wall_s;
    list.append(fields);
  }
  return list;
}

/// A method that returns what `at` sees in the store.
template <typename At>
auto looks(At at) {
  return [at](StoredRunReader& run) { return run.look(at); };
}

void draw(StoredRunReader& run) {
  run.with_totals([&](const RunStore& store, const RunTotals& totals) {
    const RunSummary summary = answered_summary(store, totals);
    make_figures(store, totals.map(), marked_spot(summary), summary.unmet);
  });
}

}  // namespace

void bind_stored_run(py::module_& module) {
  using Run = StoredRunReader;
  py::class_<Run>(module, "StoredRun", "A stored run, open for reading.")
      .def(py::init<const fs::path&>(), py::arg("run"))
      .def("close", &Run::close)
      .def("reload", &Run::reload)
      .def_property_readonly("is_closed", &Run::is_closed)
      .def_property_readonly("file", &Run::file)
      .def_property_readonly("run", &Run::run)
      .def("config_toml", looks([](const RunStore& store) { return store.config_toml(); }))
      .def("shard", looks([](const RunStore& store) {
             return std::pair(store.shard().index, store.shard().count);
           }))
      .def("trials_asked", looks([](const RunStore& store) { return store.trials_asked(); }))
      .def("trials_done", looks([](const RunStore& store) { return count_trials(store.stored()); }))
      .def("sessions", &processes)
      .def("axes", &axes)
      .def("counts", &counts)
      .def("intervals", &intervals)
      .def("summary",
           [](Run& run) {
             const auto fields = [&](const RunSummary& found, const RunTiming& time) {
               return document(summary_fields(found, time, run.run()));
             };
             return value_object(of_summary(run, fields), Objects::kResults);
           })
      .def("summary_text",
           [](Run& run) {
             return of_summary(run, [&](const RunSummary& found, const RunTiming& time) {
               return summary_text(found, time, run.run());
             });
           })
      .def("is_complete", &is_complete)
      .def("trials", &trials)
      .def("digest", &digest)
      .def("replay", &replay, py::arg("index") = py::none(), py::arg("cell") = py::none(),
           py::arg("outcome") = py::none())
      .def("worst", &worst, py::arg("count"))
      .def("draw_figures", &draw);
}

namespace {

py::array row_array(const ToldTrial& trial) {
  return trial_array(trial.is_stored ? TrialFields::kAll : TrialFields::kValues,
                     UncertainColumns(*trial.config), {trial.story.row});
}

/// The GIF's bytes: drawn by gnuplot, which takes a second or two.
py::bytes animation(const ToldTrial& trial) {
  std::string gif;
  run_watched([&](const std::atomic<int>&) { gif = trial_animation(trial.story, trial.title); });
  return py::bytes(gif);
}

/// What a told trial is made of again: it is a function of the configuration, and of its index or
/// its parameters.
py::tuple kept_trial(const ToldTrial& trial) {
  const TrialParameters& at = trial.story.row.parameters;
  return py::make_tuple(
      to_toml(*trial.config), trial.title, trial.differences,
      trial.is_stored ? std::optional(trial.story.row.index) : std::nullopt,
      py::make_tuple(at.placement_x_mm, at.placement_y_mm, at.theta_rad, at.mu_jaw, at.mu_support));
}

ToldTrial restored_trial(const py::tuple& state) {
  ToldTrial trial;
  trial.config = std::make_shared<const SweepConfig>(
      parse_sweep_config(state[0].cast<std::string>(), "configuration", {}));
  trial.title = state[1].cast<std::string>();
  trial.differences = state[2].cast<std::string>();
  if (const auto index = state[3].cast<std::optional<std::int64_t>>()) {
    trial.is_stored = true;
    trial.story = tell_trial(*trial.config, *index);
  } else {
    const auto at = state[4].cast<std::array<double, 5>>();
    trial.story = tell_trial(*trial.config, TrialParameters{at[0], at[1], at[2], at[3], at[4]});
  }
  return trial;
}

ToldTrial tell(const CheckedConfig& config, double x_mm, double y_mm, double theta_rad,
               double mu_jaw, double mu_support) {
  const py::gil_scoped_release without_python;
  ToldTrial trial;
  trial.config = config.config;
  trial.story =
      tell_trial(*config.config, TrialParameters{x_mm, y_mm, theta_rad, mu_jaw, mu_support});
  trial.title = fmt::format("{}, one trial", config.config->name);
  return trial;
}

}  // namespace

void bind_story(py::module_& module) {
  py::class_<ToldTrial>(module, "ToldTrial", "A trial with all that was seen of it.")
      .def_readonly("title", &ToldTrial::title)
      .def_readonly("differences", &ToldTrial::differences)
      .def_property_readonly("outcome",
                             [](const ToldTrial& self) { return name(self.story.row.outcome); })
      .def("row", &row_array)
      .def("text", [](const ToldTrial& self) { return trial_text(self.story); })
      .def("fields",
           [](const ToldTrial& self) {
             return value_object(document(trial_fields(self.story)), Objects::kDicts);
           })
      .def("trajectory",
           [](const ToldTrial& self) { return table_array(trajectory_table(self.story)); })
      .def("trajectory_csv",
           [](const ToldTrial& self) { return csv_text(trajectory_table(self.story)); })
      .def("strip_svg",
           [](const ToldTrial& self) {
             const py::gil_scoped_release without_python;
             return trial_strip(self.story, self.title);
           })
      .def("animation_gif", &animation)
      .def(
          "drawn_grasp",
          [](const ToldTrial& self, const std::array<double, 4>& box_mm, double theta_rad,
             const std::optional<std::array<double, 2>>& fingers_mm, double opening_mm) {
            return drawn_grasp(*self.config, box_mm, theta_rad, fingers_mm, opening_mm);
          },
          py::arg("box_mm"), py::arg("theta_rad"), py::arg("fingers_mm"), py::arg("opening_mm"))
      .def(py::pickle(&kept_trial, &restored_trial));
  module.def("tell_trial", &tell, py::arg("config"), py::arg("x_mm"), py::arg("y_mm"),
             py::arg("theta_rad"), py::arg("mu_jaw"), py::arg("mu_support"));
}

}  // namespace graspmap::python
