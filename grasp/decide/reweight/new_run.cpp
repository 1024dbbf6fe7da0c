#include "grasp/decide/reweight/new_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/io/printable_text.hpp"
#include "grasp/sweep/store/run_directory.hpp"

namespace graspmap {

namespace fs = std::filesystem;

fs::path new_run_folder(const fs::path& store_file, const std::string& suffix) {
  const fs::path folder = store_file.parent_path().lexically_normal();
  const bool has_name = folder.has_filename() && folder.filename() != "." && folder != "..";
  return has_name ? folder.parent_path() / (folder.filename().string() + "_" + suffix)
                  : folder / suffix;
}

std::string new_run_command(const fs::path& store_file, const std::vector<std::string>& settings,
                            const std::string& suffix) {
  if (store_file.empty()) return fmt::format("{}", fmt::join(settings, ", "));
  std::string text =
      "graspmap run " + shell_word((store_file.parent_path() / run_files::kConfig).string());
  for (const std::string& setting : settings) text += " --set " + shell_word(setting);
  return text + " --out " + shell_word(new_run_folder(store_file, suffix).string());
}

std::optional<Interval> reach_of_draws(
    const std::string& key, const std::function<std::vector<double>(const std::string&)>& draws) {
  constexpr double kSigmas = 3;
  const std::vector<double> mean = draws(key + ".mean");
  const std::vector<double> sigma = draws(key + ".sigma");
  const std::vector<double> width = draws(key + ".width");
  const std::vector<double> min = draws(key + ".min");
  const std::vector<double> max = draws(key + ".max");
  std::vector<double> ends = min;
  ends.insert(ends.end(), max.begin(), max.end());
  for (std::size_t k = 0; k < mean.size() && (!sigma.empty() || !width.empty()); ++k) {
    const double half = sigma.empty() ? width[k] / 2 : kSigmas * sigma[k];
    ends.insert(ends.end(), {mean[k] - half, mean[k] + half});
  }
  if (ends.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(ends.begin(), ends.end());
  return Interval{*low, *high};
}

std::string broad_setting(const std::string& key, const Interval& range) {
  constexpr double kSteps = 1000;  // per unit: what is printed holds the range
  constexpr double kRounding = 1e-6;
  return fmt::format("{}={{ distribution = \"uniform\", min = {:.6g}, max = {:.6g} }}", key,
                     std::max(0.0, std::floor(kSteps * range.low + kRounding) / kSteps),
                     std::ceil(kSteps * range.high - kRounding) / kSteps);
}

}  // namespace graspmap
