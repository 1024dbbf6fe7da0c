#pragma once

#include <optional>

namespace graspmap {

/// Which process of how many a launcher of MPI programs (mpirun, srun) began.
struct MpiLaunch {
  int rank = 0;
  int size = 1;
  friend bool operator==(const MpiLaunch&, const MpiLaunch&) = default;
};

/// What the environment says of the launcher: of Open MPI, or one that speaks PMI or PMIx (Slurm).
/// Nothing when this process was begun in another way, or as the only one: then MPI is not needed.
std::optional<MpiLaunch> mpi_launch();

}  // namespace graspmap
