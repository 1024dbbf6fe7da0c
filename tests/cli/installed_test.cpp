#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/source_dir.hpp"

namespace graspmap::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
namespace fs = std::filesystem;

/// The release that `graspmap --version` names.
std::string release() {
  const std::string text = Program().run({"--version"}).out;
  const std::size_t begin = text.find(' ') + 1;
  return text.substr(begin, text.find(' ', begin) - begin);
}

TEST_CASE("the version is that of the changelog's newest release and of the citation") {
  const std::string changes = file_text(testing::source_dir() + "/CHANGELOG.md");
  const std::size_t unreleased = changes.find("\n## [Unreleased]\n");
  REQUIRE(unreleased != std::string::npos);
  const std::size_t newest = changes.find("\n## [", unreleased + 1);
  REQUIRE(newest != std::string::npos);
  CHECK_THAT(changes.substr(newest), StartsWith("\n## [" + release() + "] - 20"));
  CHECK_THAT(file_text(testing::source_dir() + "/CITATION.cff"),
             Contains("\nversion: " + release() + "\n"));
}

TEST_CASE("a configuration that is not there is compared with the names of the examples") {
  Program program;
  const std::string name =
      GENERATE("lock_piece.toml", "lock_piece", "configs/lock_piece.toml", "no/lock_piece.toml");
  const ProgramResult result = program.run({"run", name});
  CHECK(result.exit_code == 2);
  CHECK(result.err == "graspmap: error: " + name +
                          ": cannot be read: No such file or directory; give a TOML file; an "
                          "example of this name is " +
                          fs::canonical(kConfigs).string() + "/lock_piece.toml\n");
  CHECK(program.names().empty());
  CHECK_THAT(program.run({"run", "my_part.toml"}).err, !Contains("example"));
}

TEST_CASE("examples are listed with their first sentences, and copied with all that they need") {
  Program program;
  const ProgramResult list = program.run({"examples"});
  CHECK(list.exit_code == 0);
  CHECK_THAT(list.out,
             Contains("/configs/hex_nut.toml\n    A nut M16 lies flat on a table, turned by any "
                      "angle.\n") &&
                 Contains("/configs/scenes/box_stack.toml\n    A ball knocks over a "
                          "stack of five boxes.\n"));
  const ProgramResult copied = program.run({"examples", "--out", "configs"});
  CHECK(copied.exit_code == 0);
  CHECK(copied.out == "Examples in configs\n");
  CHECK(program.text("configs/lock_piece.toml") == file_text(kConfigs + "/lock_piece.toml"));
  CHECK(program.names("configs/drawings").size() == 5);
  const ProgramResult again = program.run({"examples", "--out", "configs"});
  CHECK(again.exit_code == 2);
  CHECK_THAT(again.err,
             Contains("configs: is there already; --out must name a folder that is new"));
}

}  // namespace
}  // namespace graspmap::testing
