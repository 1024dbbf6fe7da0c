#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/file_text.hpp"

// Each command on stores with changed bytes: the true answer, or exit code 2. The same by library
// calls, in moments: tests/grasp/sweep/store/store_corruption_test.cpp.

namespace graspmap::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

constexpr std::size_t kPageBytes = 16384;

/// What a command says and leaves.
struct Answer {
  ProgramResult result;
  std::map<std::string, std::string> files;  ///< except the store itself
};

class Store {
 public:
  Store() {
    // Figures are drawn from the scripts and tables that plot writes: these are compared.
    fs::create_directory(program_.path("bin"));
    std::ofstream(program_.path("bin/gnuplot"))
        << "#!/bin/sh\nname=${2%.gp}\necho IEND > $name.png\necho '</svg>' > $name.svg\n";
    fs::permissions(program_.path("bin/gnuplot"), fs::perms::owner_all);
    program_.search_path = program_.path("bin").string() + ":/usr/bin:/bin";
    REQUIRE(program_.run(sweep(6)).exit_code == 0);
    REQUIRE(program_.run(sweep(9)).exit_code == 0);  // a second process
    bytes_ = file_text(program_.path("run/run.sqlite"));
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  static Arguments sweep(int trials_per_cell) {
    return {"run",
            lock_piece(),
            "--out",
            "run",
            "--quiet",
            "--no-plots",
            "--set",
            "placement.x_cells=4",
            "--set",
            "placement.y_cells=4",
            "--trials-per-cell",
            std::to_string(trials_per_cell)};
  }

  /// What a command makes of a run folder that has a store of these bytes only.
  Answer ask(const Arguments& args, const std::string& bytes) {
    for (const char* folder : {"run", "out"}) fs::remove_all(program_.path(folder));
    fs::create_directory(program_.path("run"));
    fs::create_directory(program_.path("out"));
    std::ofstream(program_.path("run/run.sqlite"), std::ios::binary) << bytes;
    Answer answer{program_.run(args), {}};
    for (const char* folder : {"run", "out"}) {
      for (const auto& entry : fs::recursive_directory_iterator(program_.path(folder))) {
        if (!entry.is_regular_file() || entry.path().filename() == "run.sqlite") continue;
        answer.files[entry.path().string()] = file_text(entry.path());
      }
    }
    return answer;
  }
  /// The digest of the run that is there now.
  std::string digest(const std::string& folder) { return program_.run({"hash", folder}).out; }

 private:
  Program program_;
  std::string bytes_;
};

const std::vector<Arguments>& asked_commands() {
  static const std::vector<Arguments> kCommands = {
      {"hash", "run"},
      {"export", "run", "--quiet"},
      {"export", "run", "--quiet", "--format", "npz"},
      {"plot", "run"},
      {"replay", "run", "7"},
      {"replay", "run", "--worst", "5"},
      {"merge", "out", "run", "--quiet", "--no-plots", "--force"},
      Store::sweep(9)};
  return kCommands;
}

struct CommandTally {
  int refused = 0;
  int without_effect = 0;
};

/// Compares the answers to a changed store with the true ones.
class Inquiry {
 public:
  Inquiry() {
    for (const Arguments& args : asked_commands())
      truths_.push_back(store_.ask(args, store_.bytes()));
    store_.ask(Store::sweep(12), store_.bytes());
    extended_ = store_.digest("run");
  }

  [[nodiscard]] const std::string& bytes() const { return store_.bytes(); }
  [[nodiscard]] const CommandTally& tally() const { return tally_; }

  void check(const std::string& changed) {
    for (std::size_t k = 0; k < asked_commands().size(); ++k) {
      CAPTURE(asked_commands()[k]);
      const Answer answer = store_.ask(asked_commands()[k], changed);
      if (is_refused(answer.result)) continue;
      CHECK(answer.result.exit_code == 0);
      CHECK(answer.result.out == truths_[k].result.out);
      CHECK(answer.files == truths_[k].files);
    }
    if (is_refused(store_.ask(Store::sweep(12), changed).result)) return;
    CHECK(store_.digest("run") == extended_);
  }

 private:
  bool is_refused(const ProgramResult& result) {
    if (result.exit_code != 2) {
      ++tally_.without_effect;
      return false;
    }
    ++tally_.refused;
    CHECK(count_lines(result.err) == 1);
    CHECK_THAT(result.err, Catch::Contains("run.sqlite"));
    return true;
  }

  Store store_;
  std::vector<Answer> truths_;
  std::string extended_;
  CommandTally tally_;
};

/// The bytes of a page that hold something.
std::vector<std::size_t> used_bytes(const std::string& bytes, std::size_t page) {
  std::vector<std::size_t> used;
  for (std::size_t at = page * kPageBytes; at < (page + 1) * kPageBytes; ++at) {
    if (bytes[at] != 0) used.push_back(at);
  }
  return used;
}

TEST_CASE("every command on stores with changed bytes and lost ends", "[.long]") {
  constexpr std::size_t kFlips = 24;
  Inquiry inquiry;
  const std::size_t pages = inquiry.bytes().size() / kPageBytes;
  int corruptions = 0;
  for (std::size_t page = 0; page < pages; ++page) {
    const std::vector<std::size_t> used = used_bytes(inquiry.bytes(), page);
    for (std::size_t n = 0; n < kFlips; ++n) {
      const std::size_t at = used[n * used.size() / kFlips];
      CAPTURE(page, at);
      std::string changed = inquiry.bytes();
      changed[at] = static_cast<char>(changed[at] ^ (n % 2 == 0 ? '\x01' : '\x55'));
      inquiry.check(changed);
      ++corruptions;
    }
    for (const std::size_t more : {std::size_t{0}, kPageBytes / 2, kPageBytes - 1}) {
      CAPTURE(page, more);
      inquiry.check(inquiry.bytes().substr(0, page * kPageBytes + more));
      ++corruptions;
    }
  }
  WARN(pages << " pages, " << corruptions << " corruptions; answers refused "
             << inquiry.tally().refused << ", without effect " << inquiry.tally().without_effect);
}

}  // namespace
}  // namespace graspmap::testing
