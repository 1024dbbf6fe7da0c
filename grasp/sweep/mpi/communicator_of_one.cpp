// A graspmap that is built without MPI has one rank.
#include "grasp/sweep/mpi/communicator.hpp"

namespace graspmap {

struct MpiCommunicator::Transfers {};

MpiCommunicator::MpiCommunicator() = default;
MpiCommunicator::~MpiCommunicator() = default;

std::vector<std::vector<std::byte>> MpiCommunicator::all_gather(std::span<const std::byte> bytes) {
  return {{bytes.begin(), bytes.end()}};
}

void MpiCommunicator::send(int, int, std::vector<std::byte>) {}
std::optional<MpiMessage> MpiCommunicator::receive(double) { return std::nullopt; }
std::optional<MpiMessage> MpiCommunicator::poll() { return std::nullopt; }
void MpiCommunicator::leave() {}
void MpiCommunicator::abandon() {}

std::string mpi_library() { return ""; }

}  // namespace graspmap
