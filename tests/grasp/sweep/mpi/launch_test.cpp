#include "grasp/sweep/mpi/launch.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

namespace graspmap {
namespace {

/// A variable of the environment, while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST_CASE("a process that no launcher began is alone") { CHECK_FALSE(mpi_launch()); }

TEST_CASE("launchers say rank and size in their own variables") {
  const auto [rank, size] = GENERATE(table<const char*, const char*>({
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
      {"PMI_RANK", "PMI_SIZE"},
      {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
  }));
  const Variable rank_variable(rank, "2");
  CHECK_FALSE(mpi_launch());
  {
    const Variable size_variable(size, "4");
    CHECK(mpi_launch() == MpiLaunch{2, 4});
  }
  const Variable one(size, "1");
  CHECK_FALSE(mpi_launch());
}

}  // namespace
}  // namespace graspmap
