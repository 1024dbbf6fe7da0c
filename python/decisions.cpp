#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grasp/app/commands/analysis.hpp"
#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/progress.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/process/stop.hpp"
#include "python/native.hpp"
#include "python/values.hpp"
#include "python/watched_work.hpp"

namespace graspmap::python {
namespace py = pybind11;
namespace fs = std::filesystem;
namespace {

/// The trials that an analysis simulates at the moment, for a Python function that watches. They
/// begin and end in the thread of the analysis; the function is called in another one.
class ShownTrials {
 public:
  /// What the analysis calls before it simulates trials.
  ShowTrials shows() {
    return [this](const TrialCounters& counters, std::int64_t total) {
      set(&counters, total);
      return std::shared_ptr<const void>(this, [this](const void*) { set(nullptr, 0); });
    };
  }

  /// Calls watch(counts, asked, before, seconds), unless it is None or no trials are simulated.
  /// False when the function returned False.
  [[nodiscard]] bool tell(const py::object& watch) {
    if (watch.is_none()) return true;
    const auto by_now = state();
    if (!by_now) return true;
    py::tuple numbers(kOutcomeCount);
    for (std::size_t k = 0; k < kOutcomeCount; ++k) numbers[k] = by_now->counts.by_outcome[k];
    return !watch(numbers, by_now->total, 0, by_now->elapsed_s).is(py::bool_(false));
  }

 private:
  void set(const TrialCounters* counters, std::int64_t total) {
    const std::lock_guard lock(mutex_);
    counters_ = counters;
    total_ = total;
    start_ = std::chrono::steady_clock::now();
  }

  [[nodiscard]] std::optional<ProgressState> state() const {
    const std::lock_guard lock(mutex_);
    if (counters_ == nullptr) return std::nullopt;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return ProgressState{counters_->snapshot(), total_, passed.count(), 0};
  }

  mutable std::mutex mutex_;
  const TrialCounters* counters_ = nullptr;
  std::int64_t total_ = 0;
  std::chrono::steady_clock::time_point start_;
};

/// The keywords of a call, {option: (name in Python, value)}.
std::vector<Keyword> keywords_of(const py::dict& given) {
  std::vector<Keyword> keywords;
  for (const auto& [option, named] : given) {
    const auto [name, value] = named.cast<std::pair<std::string, py::object>>();
    keywords.push_back({option.cast<std::string>(), name, value_of(name, value),
                        std::string(py::str(py::repr(value)))});
  }
  return keywords;
}

/// What the command finds; nothing when `watch` stopped it.
std::optional<Analysis> analyse_watched(const std::string& name,
                                        const std::vector<std::string>& operands,
                                        const py::dict& given, const py::object& watch) {
  const AnalysisCommand command = analysis_command(name);
  const Arguments arguments(command.syntax, operands, keywords_of(given));
  std::optional<Analysis> found;
  ShownTrials trials;
  const StoppableWork work = [&](const std::atomic<int>& stop) {
    AnalysisWatch analysis_watch;
    analysis_watch.stop = &stop;
    analysis_watch.trials = trials.shows();
    try {
      found = analyse(command, arguments, analysis_watch);
    } catch (const AnalysisStopped&) {
      throw WorkStopped();
    } catch (const UsageError& error) {
      throw WrongCall(error.what());
    } catch (const ConfigError& error) {
      std::vector<ConfigFault> faults = error.faults();
      for (ConfigFault& fault : faults) {
        if (fault.place.source.starts_with("--set ")) fault.place = {};  // the key says it
        fault.what = arguments.spelled(fault.what);
        fault.allowed = arguments.spelled(fault.allowed);
      }
      throw ConfigError(std::move(faults));
    }
  };
  run_watched(work, [&] { return trials.tell(watch); });
  if (found) found->notes = arguments.spelled(found->notes);
  return found;
}

/// What a copy of an analysis has: its texts, the files' bytes and the figures. Python keeps fields
/// and tables.
py::tuple kept_analysis(const Analysis& analysis) {
  py::list files;
  for (const auto& file : analysis.files) {
    files.append(py::make_tuple(file.name, py::bytes(file.text())));
  }
  py::list figures;
  for (const Figure& figure : analysis.figures) {
    figures.append(py::make_tuple(py::bytes(figure.name), py::bytes(figure.script),
                                  figure.data ? py::object(py::bytes(*figure.data)) : py::none()));
  }
  return py::make_tuple(py::bytes(analysis.text), py::bytes(analysis.notes), analysis.folder, files,
                        figures);
}

Analysis restored_analysis(const py::tuple& state) {
  Analysis analysis;
  analysis.text = state[0].cast<std::string>();
  analysis.notes = state[1].cast<std::string>();
  analysis.folder = state[2].cast<fs::path>();
  for (const auto& [name, bytes] :
       state[3].cast<std::vector<std::pair<std::string, std::string>>>())
    analysis.files.push_back({name, bytes});
  using KeptFigure = std::tuple<std::string, std::string, std::optional<std::string>>;
  for (const auto& [name, script, data] : state[4].cast<std::vector<KeptFigure>>()) {
    analysis.figures.push_back({name, script, data});
  }
  return analysis;
}

/// The file with the fields: JSON.
const ResultFile& document_file(const Analysis& analysis) {
  const auto found = std::find_if(
      analysis.files.begin(), analysis.files.end(),
      [](const ResultFile& file) { return std::holds_alternative<Object>(file.content); });
  return *found;
}

py::object fields_of(const Analysis& analysis) {
  return value_object(document(std::get<Object>(document_file(analysis).content)),
                      Objects::kResults);
}

py::dict files_of(const Analysis& analysis) {
  py::dict files;
  for (const ResultFile& file : analysis.files) {
    files[py::str(file.name)] = py::bytes(file.text());
  }
  return files;
}

/// What `make` makes of a table by the name of its file; None for another file.
template <py::object (*make)(const Table&)>
py::object of_table(const Analysis& analysis, const std::string& name) {
  for (const ResultFile& file : analysis.files) {
    const auto* table = std::get_if<Table>(&file.content);
    if (file.name == name && table != nullptr) return make(*table);
  }
  return py::none();
}

/// What each column means.
py::object column_meanings(const Table& table) {
  py::dict meanings;
  for (const Table::Heading& column : table.columns)
    meanings[py::str(column.name)] = column.meaning;
  return meanings;
}

void draw_analysis(const Analysis& analysis, const fs::path& folder) {
  const py::gil_scoped_release without_python;
  draw_figures(folder, analysis.figures);
}

void write_files_of(const Analysis& analysis, const fs::path& folder) {
  const py::gil_scoped_release without_python;
  write_analysis(folder, analysis.files);
}

}  // namespace

void bind_decisions(py::module_& module) {
  py::class_<Analysis>(module, "Analysis")
      .def_property_readonly("text", [](const Analysis& a) { return text_object(a.text); })
      .def_property_readonly("notes", [](const Analysis& a) { return text_object(a.notes); })
      .def_readonly("folder", &Analysis::folder)
      .def_property_readonly("document", [](const Analysis& a) { return document_file(a).name; })
      .def("fields", &fields_of)
      .def("files", &files_of)
      .def("table", &of_table<table_array>, py::arg("name"))
      .def("table_meanings", &of_table<column_meanings>, py::arg("name"))
      .def("has_figures", [](const Analysis& analysis) { return !analysis.figures.empty(); })
      .def("draw", &draw_analysis, py::arg("folder"))
      .def("write", &write_files_of, py::arg("folder"))
      .def(py::pickle(&kept_analysis, &restored_analysis));
  module.def("analyse", &analyse_watched, py::arg("command"), py::arg("operands"),
             py::arg("keywords"), py::arg("watch"));
}

}  // namespace graspmap::python
