// The world of a graspmap that is built without MPI.
#include "grasp/sweep/mpi/world.hpp"

namespace graspmap {

struct MpiWorld::Transfers {};

MpiWorld::MpiWorld() = default;
MpiWorld::~MpiWorld() = default;

std::vector<std::vector<std::byte>> MpiWorld::all_gather(std::span<const std::byte> bytes) {
  return {{bytes.begin(), bytes.end()}};
}

void MpiWorld::send(int, int, std::vector<std::byte>) {}
std::optional<MpiMessage> MpiWorld::receive(double) { return std::nullopt; }
std::optional<MpiMessage> MpiWorld::poll() { return std::nullopt; }
void MpiWorld::leave() {}
void MpiWorld::abandon() {}

std::string mpi_library() { return ""; }

}  // namespace graspmap
