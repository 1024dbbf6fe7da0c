#include "grasp/sweep/store/new_session.hpp"

#include "grasp/base/process/host.hpp"
#include "grasp/base/process/utc_time.hpp"
#include "grasp/base/process/version.hpp"
#include "grasp/sweep/trials/probe.hpp"

namespace graspmap {

StoreSession new_session(const SweepConfig& config, int processes, int threads) {
  StoreSession session;
  session.version = version();
  session.git_commit = git_commit();
  session.host = host_name();
  session.started_utc = utc_now();
  session.processes = processes;
  session.threads = threads;
  session.probe = probe_digest(config);
  return session;
}

}  // namespace graspmap
