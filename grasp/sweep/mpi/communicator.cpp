#include "grasp/sweep/mpi/communicator.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <chrono>
#include <list>
#include <thread>
#include <utility>

#include "grasp/base/io/errors.hpp"
#include "grasp/sweep/mpi/ranks.hpp"

namespace graspmap {
namespace {

/// How long a rank that waits sleeps: MPI itself would keep a core busy.
constexpr std::chrono::milliseconds kNap(1);

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int size = 0;
  MPI_Error_string(code, text.data(), &size);
  throw IoError(fmt::format("MPI: {}: {}", what, text.data()));
}

}  // namespace

struct MpiCommunicator::Transfers {
  struct Incoming {
    MpiMessage message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Outgoing {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  std::unique_ptr<Incoming> incoming;  ///< a message that has begun to arrive
  std::list<Outgoing> outgoing;        ///< in the order in which they were sent

  /// Forgets messages that were sent; true when none are on their way any more.
  bool all_sent() {
    outgoing.remove_if([](Outgoing& message) {
      int sent = 0;
      check(MPI_Test(&message.request, &sent, MPI_STATUS_IGNORE), "send");
      return sent != 0;
    });
    return outgoing.empty();
  }
};

MpiCommunicator::MpiCommunicator() : transfers_(std::make_unique<Transfers>()) {
  const auto launch = mpi_launch();
  if (!launch) return;
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "begin");
  joined_ = true;
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "begin");
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "begin");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "begin");
  if (provided < MPI_THREAD_FUNNELED) {
    throw IoError(fmt::format("{} does not work with threads", mpi_library()));
  }
  if (size_ != launch->size) {
    throw IoError(fmt::format(
        "the launcher began {} processes, but MPI sees {}: it is not the launcher of {} (with "
        "Slurm: srun --mpi=pmix)",
        launch->size, size_, mpi_library()));
  }
}

MpiCommunicator::~MpiCommunicator() {
  if (joined_) MPI_Finalize();
}

std::vector<std::vector<std::byte>> MpiCommunicator::all_gather(std::span<const std::byte> bytes) {
  if (!joined_) return {{bytes.begin(), bytes.end()}};
  const int count = static_cast<int>(bytes.size());
  std::vector<std::byte> all(bytes.size() * static_cast<std::size_t>(size_));
  check(MPI_Allgather(bytes.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, MPI_COMM_WORLD),
        "gather");
  std::vector<std::vector<std::byte>> by_rank;
  for (auto part = all.begin(); part != all.end(); part += count) {
    by_rank.emplace_back(part, part + count);
  }
  return by_rank;
}

void MpiCommunicator::send(int to, int tag, std::vector<std::byte> bytes) {
  auto& outgoing = transfers_->outgoing.emplace_back();
  outgoing.bytes = std::move(bytes);
  check(MPI_Isend(outgoing.bytes.data(), static_cast<int>(outgoing.bytes.size()), MPI_BYTE, to, tag,
                  MPI_COMM_WORLD, &outgoing.request),
        "send");
}

std::optional<MpiMessage> MpiCommunicator::receive(double wait_s) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(wait_s);
  while (true) {
    const bool all_sent = transfers_->all_sent();
    if (auto message = poll()) return message;
    if (Clock::now() >= until) return std::nullopt;
    // A message on its way goes in pieces, each of which needs a call of MPI.
    if (all_sent && transfers_->incoming == nullptr) std::this_thread::sleep_for(kNap);
  }
}

std::optional<MpiMessage> MpiCommunicator::poll() {
  auto& incoming = transfers_->incoming;
  int there = 0;
  if (incoming == nullptr) {
    MPI_Status status{};
    check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status), "look");
    if (there == 0) return std::nullopt;
    int size = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &size), "look");
    incoming = std::make_unique<Transfers::Incoming>();
    incoming->message = {status.MPI_SOURCE, status.MPI_TAG,
                         std::vector<std::byte>(static_cast<std::size_t>(size))};
    check(MPI_Irecv(incoming->message.bytes.data(), size, MPI_BYTE, status.MPI_SOURCE,
                    status.MPI_TAG, MPI_COMM_WORLD, &incoming->request),
          "receive");
  }
  check(MPI_Test(&incoming->request, &there, MPI_STATUS_IGNORE), "receive");
  if (there == 0) return std::nullopt;
  MpiMessage message = std::move(incoming->message);
  incoming.reset();
  return message;
}

void MpiCommunicator::leave() {
  if (!joined_) return;
  joined_ = false;
  while (!transfers_->all_sent()) std::this_thread::sleep_for(kNap);
  check(MPI_Finalize(), "end");
}

void MpiCommunicator::abandon() { joined_ = false; }

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int size = 0;
  MPI_Get_library_version(text.data(), &size);
  // "Open MPI v4.1.4, package: ..."
  const std::string all = text.data();
  return all.substr(0, all.find_first_of(",\n"));
}

}  // namespace graspmap
