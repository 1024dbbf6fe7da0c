#include <algorithm>
#include <string>

#include "grasp/sweep/config/sweep_config.hpp"
#include "tests/fuzz/one_trial.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/support/config_text.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::fuzz {
namespace {

/// Drawings of the examples are found from here.
const std::string kSweepFile = testing::source_dir() + "/configs/fuzzed.toml";

/// The resolved configuration must be the same configuration.
void write_and_read_again(const SweepConfig& config) {
  const std::string written = to_toml(config);
  must_accept([&] {
    expect(to_toml(parse_sweep_config(written, kSweepFile)) == written,
           "the written configuration is another one");
  });
}

}  // namespace

void read_sweep(std::string_view text) {
  const SweepConfig config = parse_sweep_config(text, kSweepFile);
  write_and_read_again(config);
  try_one_trial(config);
}

void read_adaptive(std::string_view text) {
  const std::string whole = testing::kConfigText +
                            std::string("sampling = \"adaptive\"\n[sweep.adaptive]\n") +
                            std::string(text);
  write_and_read_again(parse_sweep_config(whole, kSweepFile));
}

void read_overrides(std::string_view text) {
  std::vector<std::string> assignments;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    assignments.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  write_and_read_again(parse_sweep_config(testing::kConfigText, kSweepFile, assignments));
}

}  // namespace graspmap::fuzz
