#include "grasp/commands/analysis_options.hpp"

#include <fmt/format.h>

#include "grasp/io/number.hpp"

namespace graspmap {
namespace po = boost::program_options;
namespace {

constexpr double kDefaultConfidence = 0.95;
constexpr double kLeastConfidence = 0.5;
constexpr double kMostConfidence = 0.9999;

}  // namespace

void add_analysis_options(po::options_description& options, const char* folder) {
  auto add = options.add_options();
  add("confidence", po::value<std::string>()->value_name("C"),
      "confidence of the intervals (default: 0.95)");
  add("out", po::value<std::string>()->value_name("DIR"),
      fmt::format("write into DIR, not RUNDIR/{}", folder).c_str());
  add("no-plots", "draw no figures");
}

double read_confidence(const Arguments& arguments) {
  if (!arguments.has("confidence")) return kDefaultConfidence;
  const std::optional<double> value = parse_number(arguments.text("confidence"));
  if (!value || *value < kLeastConfidence || *value > kMostConfidence) {
    arguments.fail(fmt::format("--confidence: '{}'; must be a number from {} to {}",
                               arguments.text("confidence"), kLeastConfidence, kMostConfidence));
  }
  return *value;
}

std::filesystem::path analysis_folder(const Arguments& arguments,
                                      const std::filesystem::path& run_folder, const char* folder) {
  return arguments.has("out") ? std::filesystem::path(arguments.text("out")) : run_folder / folder;
}

}  // namespace graspmap
