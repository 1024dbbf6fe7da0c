#include "grasp/app/program/self_description.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/config_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

using Catch::Contains;
using Catch::StartsWith;

const Program kProgram{"graspmap", "map grasps", "graspmap maps grasps.\n", "graspmap run x.toml",
                       grasp_commands()};

TEST_CASE("commands are completed with what they do") {
  CHECK(completion(kProgram, {"ru"}) ==
        "words\nrun simulate a sweep and map where the grasp succeeds\n");
  CHECK_THAT(completion(kProgram, {""}), Contains("\nplan ") && Contains("\nexamples "));
  CHECK(completion(kProgram, {"--v"}) == "words\n--version print release, commit and build\n");
  CHECK(completion(kProgram, {"no-such", ""}) == "words\n");
}

TEST_CASE("options of the command are completed, of all commands") {
  CHECK_THAT(completion(kProgram, {"run", "--tr"}), StartsWith("words\n--trials-per-cell "));
  for (const Command& command : kProgram.commands) {
    INFO(command.syntax.name);
    CHECK_THAT(completion(kProgram, {command.syntax.name, "-"}), Contains("--help "));
  }
}

TEST_CASE("files are completed where files are due, folders where folders are") {
  CHECK(completion(kProgram, {"run", "lo"}) == "files .toml\n");
  CHECK(completion(kProgram, {"run", "--out", ""}) == "folders\n");
  CHECK(completion(kProgram, {"run", "a.toml", ""}) == "words\n");
  CHECK(completion(kProgram, {"run", "--threads", ""}) == "words\n");
  CHECK(completion(kProgram, {"run", "--force", ""}) == "files .toml\n");
  CHECK(completion(kProgram, {"plan", ""}) == "folders\n");
  CHECK(completion(kProgram, {"plan", "--after", ""}) == "files\n");
  CHECK(completion(kProgram, {"compare", "run", ""}) == "files .csv .toml\n");
  CHECK(completion(kProgram, {"import", ""}) == "files .dxf .svg .step .stl\n");
  CHECK(completion(kProgram, {"import", "--draw", ""}) == "files .svg .png\n");
  CHECK(completion(kProgram, {"trial", "--trials", ""}) == "files .csv\n");
  CHECK(completion(kProgram, {"merge", "a", "b", "c", ""}) == "folders\n");
  CHECK(completion(kProgram, {"replay", "a", ""}) == "words\n");
}

TEST_CASE("keys of --set are completed word by word, and their values where they are words") {
  const auto set = [](const std::string& typed) {
    return completion(kProgram, {"run", "a.toml", "--set", typed});
  };
  CHECK_THAT(set(""), Contains("\ngripper. \n") && Contains("\nname= \n"));
  CHECK(set("gri") == "words\ngripper. \n");
  CHECK(set("gripper.closing_f") == "words\ngripper.closing_force_n= \n");
  CHECK(set("support.model=tr") == "words\nsupport.model=tripod \n");
  CHECK(set("gripper.closing_force_n=") == "words\n");
  // A distribution may be a number, or a table.
  CHECK(set("friction.ja") == "words\nfriction.jaw= \nfriction.jaw. \n");
  CHECK(completion(kProgram, {"hold", "r", "--set", "h"}) == "words\nhold. \n");
  // reweight changes distributions only, of numbers those that the run draws.
  CHECK(completion(kProgram, {"reweight", "r", "--set", ""}) == "words\nfriction. \nplacement. \n");
  const testing::TemporaryFolder run;
  std::ofstream(run.path() / "config.toml")
      << testing::kConfigText
      << "[uncertain]\npart.mass_kg = { distribution = \"normal\", mean = 0.05, sigma = 0.001 }\n";
  const auto of_run = [&](const std::string& typed) {
    return completion(kProgram, {"reweight", run.path().string(), "--set", typed});
  };
  CHECK(of_run("") == "words\nfriction. \nplacement. \nuncertain. \n");
  CHECK(of_run("uncertain.part.") == "words\nuncertain.part.mass_kg= \nuncertain.part.mass_kg. \n");
}

TEST_CASE("a man page has all that the help has") {
  const std::string page = command_page(kProgram, kProgram.commands.at(1));
  CHECK_THAT(page, StartsWith(".TH GRASPMAP\\-RUN 1 "));
  CHECK_THAT(page, Contains("\n.SH NAME\ngraspmap\\-run \\- simulate a sweep"));
  CHECK_THAT(page, Contains("\\fBgraspmap\\fR \\fBrun\\fR \\fICONFIG\\fR [\\fIoptions\\fR]"));
  CHECK_THAT(page, Contains("\n.TP\n\\fB\\-\\-shard\\fR \\fII/N\\fR\nrun part I of N"));
  CHECK_THAT(page, Contains("\n.SH EXAMPLES\n.nf\ngraspmap run configs/lock_piece.toml\n"));
  for (const char* title : {"DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"}) {
    CHECK_THAT(page, Contains(std::string("\n.SH ") + title + "\n"));
  }
  CHECK_THAT(program_page(kProgram), Contains(".BR graspmap\\-hash (1)\nprint a digest"));
}

}  // namespace
}  // namespace graspmap
