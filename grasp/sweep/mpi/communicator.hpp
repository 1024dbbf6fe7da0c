#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace graspmap {

/// Bytes that one rank sent to another.
struct MpiMessage {
  int from = 0;  ///< the sender's rank
  int tag = 0;   ///< what it is
  std::vector<std::byte> bytes;
};

/// The ranks of one MPI job, which send each other messages; there is one only when no launcher of
/// MPI programs began this process, or graspmap was built without MPI. One at a time, used by one
/// thread. All functions throw IoError when MPI fails.
class MpiCommunicator {
 public:
  /// Joins the job; waits for the other ranks to do so.
  MpiCommunicator();
  /// Leaves the job, if `leave` or `abandon` did not.
  ~MpiCommunicator();
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// The bytes of each rank, by rank; all must call it, with equally many.
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> bytes);
  /// Sends a message, without waiting for the other one. Messages from one rank to another arrive
  /// in the order in which they were sent.
  void send(int to, int tag, std::vector<std::byte> bytes);
  /// The next message from anyone, if it is there within `wait_s`; 0 looks once. Never waits for
  /// longer, not even when a sender vanishes in the middle of a message.
  std::optional<MpiMessage> receive(double wait_s);

  /// Waits until what was sent is received and all ranks leave; it cannot be used after
  /// this.
  void leave();
  /// Leaves without waiting, because another rank is lost: the launcher will end the job.
  void abandon();

 private:
  std::optional<MpiMessage> poll();

  int rank_ = 0;
  int size_ = 1;
  bool joined_ = false;
  struct Transfers;  ///< the messages that are on their way
  std::unique_ptr<Transfers> transfers_;
};

/// The MPI library that graspmap was built with: "Open MPI v4.1.4"; empty without one.
std::string mpi_library();

}  // namespace graspmap
