#include "grasp/app/program/guarded_main.hpp"

#include <csignal>
#include <iostream>
#include <new>
#include <system_error>

#include "grasp/app/commands/options.hpp"
#include "grasp/base/io/atomic_file.hpp"
#include "grasp/base/io/printable_stream.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/process/orderly_end.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/mpi/launch.hpp"

namespace graspmap {
namespace {

int report(int code, const char* kind, const std::exception& error) {
  std::cerr << "graspmap: " << kind << ": " << printable(error.what()) << "\n";
  return code;
}

}  // namespace

int guarded_main(const std::vector<std::string>& args,
                 const std::function<int(const std::vector<std::string>&)>& run) {
  // A limit on the size of files is an error of `write`, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  // mpirun ends all ranks when one has ended: the first one says why.
  const auto launch = mpi_launch();
  const EndOnSignal end_on_signal(!launch || launch->rank == 0);
  const PrintableStream printable_output(std::cout);
  const PrintableStream printable_errors(std::cerr, true);
  try {
    const int code = run(args);
    // What was printed must have arrived: a full disk behind a redirection is an error.
    if (!std::cout.flush()) throw IoError("standard output: cannot be written");
    return code;
  } catch (const UsageError& error) {
    return report(kExitBadInput, "error", error);
  } catch (const ConfigError& error) {
    return report(kExitBadInput, "error", error);
  } catch (const IoError& error) {
    return report(kExitIo, "error", error);
  } catch (const std::system_error& error) {
    return report(kExitIo, "error", error);
  } catch (const std::bad_alloc& error) {
    return report(kExitIo, "error: not enough memory", error);
  } catch (const std::exception& error) {
    return report(kExitInternal, "internal error", error);
  }
}

}  // namespace graspmap
