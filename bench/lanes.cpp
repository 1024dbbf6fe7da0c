// What several trials side by side in the lanes of a vector would gain, measured on real trials:
//   graspmap_lanes CONFIG N [KEY=VALUE...]
// Records the linear systems of N trials (the linker puts the recorder in place of solve_dense),
// then (a) runs trials side by side in lock-step, one system a turn, and counts how full the lanes
// are, and (b) times the elimination in four lanes of AVX2 against the code of today on these
// systems. The results of both must have the same bits: no fused multiply-add.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/trial.hpp"
#include "sim/closing/dense_solve.hpp"
#include "sim/closing/tolerances.hpp"

namespace {

constexpr int kMost = 10;  ///< unknowns of a system that is solved in lanes
constexpr int kLanes = 4;

/// A linear system of a Newton iteration; without its numbers where it is larger than kMost.
struct System {
  int n = 0;
  std::uint64_t zeros = 0;  ///< hash of which entries are not zero: the branches of the assembly
  std::array<double, std::size_t{kMost} * kMost> A{};
  std::array<double, kMost> b{};
};

std::vector<std::vector<System>> recorded;  ///< by trial
bool recording = false;

void record(const double* A, int n, int stride, const double* b) {
  System& system = recorded.back().emplace_back();
  system.n = n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool zero = A[i * stride + j] == 0.0;
      system.zeros = (system.zeros ^ (zero ? 1U : 2U)) * 1099511628211ULL;
      if (n <= kMost) system.A[static_cast<std::size_t>(i * n + j)] = A[i * stride + j];
    }
  }
  if (n <= kMost) std::copy_n(b, n, system.b.begin());
}

/// Trials side by side in `lanes` lanes: in a turn each has its next system, and those with the
/// same key are solved at once. A lane whose trial has ended takes the next one.
template <typename Key>
double fill_in_lock_step(std::size_t lanes, const Key& key) {
  std::size_t next = 0;
  std::vector<std::pair<std::size_t, std::size_t>> lane;  // trial, system
  std::int64_t solved = 0;
  std::int64_t passes = 0;
  for (;;) {
    std::erase_if(lane, [](const auto& l) { return l.second == recorded[l.first].size(); });
    for (; lane.size() < lanes && next < recorded.size(); ++next) {
      if (!recorded[next].empty()) lane.emplace_back(next, 0);
    }
    if (lane.size() < lanes) break;
    std::map<std::uint64_t, int> groups;
    for (auto& [trial, at] : lane) ++groups[key(recorded[trial][at++])];
    solved += static_cast<std::int64_t>(lanes);
    passes += static_cast<std::int64_t>(groups.size());
  }
  return static_cast<double>(solved) / static_cast<double>(passes * static_cast<long>(lanes));
}

/// A pool of trials: in a turn the key that most of them wait with fills the lanes.
template <typename Key>
double fill_from_pool(std::size_t lanes, std::size_t pool, const Key& key) {
  std::size_t next = 0;
  std::map<std::uint64_t, std::vector<std::pair<std::size_t, std::size_t>>> waiting;
  std::size_t size = 0;
  std::int64_t solved = 0;
  std::int64_t passes = 0;
  for (;;) {
    for (; size < pool && next < recorded.size(); ++next) {
      if (recorded[next].empty()) continue;
      waiting[key(recorded[next][0])].emplace_back(next, 0);
      ++size;
    }
    if (size < pool) break;
    const auto most = std::max_element(
        waiting.begin(), waiting.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    auto& queue = most->second;
    const std::size_t taken = std::min(lanes, queue.size());
    const std::vector<std::pair<std::size_t, std::size_t>> now(
        queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(taken));
    queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(taken));
    solved += static_cast<std::int64_t>(taken);
    ++passes;
    for (const auto& [trial, at] : now) {
      if (at + 1 == recorded[trial].size()) {
        --size;
      } else {
        waiting[key(recorded[trial][at + 1])].emplace_back(trial, at + 1);
      }
    }
  }
  return static_cast<double>(solved) / static_cast<double>(passes * static_cast<long>(lanes));
}

/// Aligned as doubles: memory of code that is not for AVX is no more aligned than that.
using Vector = double __attribute__((vector_size(8 * kLanes), aligned(8)));
using Mask = std::int64_t __attribute__((vector_size(8 * kLanes)));

#define GRASPMAP_LANES __attribute__((target("avx2"), always_inline)) inline

GRASPMAP_LANES void absolute(const Vector& x, Vector& out) { out = x < 0.0 ? -x : x; }

/// Not std::array, which drops the attributes of Vector.
template <int N>
struct Vectors {
  Vector at[N];  // NOLINT(modernize-avoid-c-arrays)
};

/// The elimination of dense_solve.cpp in four lanes. A lane that changes rows does so by blends.
template <int N>
__attribute__((target("avx2"), noinline)) void solve_lanes(Vector* A, Vector* b) {
#pragma GCC unroll 10
  for (int k = 0; k < N; ++k) {
    Vector largest{};
#pragma GCC unroll 10
    for (int i = k + 1; i < N; ++i) {
      Vector entry;
      absolute(A[i * N + k], entry);
      largest = largest < entry ? entry : largest;
    }
    Vector diagonal;
    absolute(A[k * N + k], diagonal);
    const Mask keeps = graspmap::tolerances::kPivotRatio * diagonal > largest;
    if ((keeps[0] & keeps[1] & keeps[2] & keeps[3]) == 0) {
      Vector best = diagonal;  // the first row of the largest entry, as in the scalar code
      Mask row = Mask{} + k;
      for (int i = k + 1; i < N; ++i) {
        Vector entry;
        absolute(A[i * N + k], entry);
        const Mask more = entry > best;
        best = more ? entry : best;
        row = more ? Mask{} + i : row;
      }
      for (int i = k + 1; i < N; ++i) {
        const Mask swaps = ~keeps & (row == i);
        for (int j = k; j < N; ++j) {
          const Vector upper = A[k * N + j];
          const Vector lower = A[i * N + j];
          A[k * N + j] = swaps ? lower : upper;
          A[i * N + j] = swaps ? upper : lower;
        }
        const Vector upper = b[k];
        const Vector lower = b[i];
        b[k] = swaps ? lower : upper;
        b[i] = swaps ? upper : lower;
      }
    }
    const Vector inverse = 1.0 / A[k * N + k];
#pragma GCC unroll 10
    for (int i = k + 1; i < N; ++i) {
      const Vector factor = A[i * N + k] * inverse;
#pragma GCC unroll 10
      for (int j = k + 1; j < N; ++j) A[i * N + j] -= factor * A[k * N + j];
      b[i] -= factor * b[k];
    }
    A[k * N + k] = inverse;
  }
#pragma GCC unroll 10
  for (int k = N - 1; k >= 0; --k) {
    Vector sum = b[k];
#pragma GCC unroll 10
    for (int j = k + 1; j < N; ++j) sum -= A[k * N + j] * b[j];
    b[k] = sum * A[k * N + k];
  }
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Nanoseconds of a system by the code of today, in lanes, and in lanes with the transposition of
/// four systems into them; how many solutions have other bits.
template <int N>
void time_elimination() {
  std::vector<const System*> systems;
  for (const auto& trial : recorded) {
    for (const System& system : trial) {
      if (system.n == N && systems.size() < 20000) systems.push_back(&system);
    }
  }
  const std::size_t groups = systems.size() / kLanes;
  if (groups < 50) return;
  std::vector<std::array<double, kMost>> scalar(groups * kLanes);
  std::vector<Vectors<N>> lanes(groups);
  std::array<double, 2> t_scalar{1e9, 1e9};  // copying alone, with the elimination
  std::array<double, 2> t_lanes{1e9, 1e9};
  constexpr int kStride = graspmap::row_width(N);  // as in StepEquations
  std::vector<double> wide(static_cast<std::size_t>(N) * kStride);
  for (int repetition = 0; repetition < 25; ++repetition) {
    for (std::size_t what = 0; what < 2; ++what) {
      const double begin = seconds();
      for (std::size_t k = 0; k < groups * kLanes; ++k) {
        for (std::size_t i = 0; i < N; ++i) {
          std::copy_n(systems[k]->A.data() + i * N, N, wide.data() + i * kStride);
        }
        scalar[k] = systems[k]->b;
        __asm__ volatile("" : : "r"(wide.data()) : "memory");
        if (what == 1 && !graspmap::solve_dense(wide.data(), N, kStride, scalar[k].data())) {
          scalar[k][0] = NAN;
        }
      }
      t_scalar[what] = std::min(t_scalar[what], seconds() - begin);
    }
    for (std::size_t what = 0; what < 2; ++what) {
      const double begin = seconds();
      for (std::size_t g = 0; g < groups; ++g) {
        Vectors<N * N> A;
        for (int l = 0; l < kLanes; ++l) {
          const System& system = *systems[g * kLanes + static_cast<std::size_t>(l)];
          for (std::size_t e = 0; e < N * N; ++e) A.at[e][l] = system.A[e];
          for (std::size_t e = 0; e < N; ++e) lanes[g].at[e][l] = system.b[e];
        }
        __asm__ volatile("" : : "r"(A.at), "r"(lanes[g].at) : "memory");
        if (what == 1) solve_lanes<N>(A.at, lanes[g].at);
      }
      t_lanes[what] = std::min(t_lanes[what], seconds() - begin);
    }
  }
  int different = 0;
  for (std::size_t k = 0; k < groups * kLanes; ++k) {
    for (std::size_t e = 0; e < N; ++e) {
      const double x = lanes[k / kLanes].at[e][static_cast<int>(k % kLanes)];
      if (std::memcmp(&x, &scalar[k][e], sizeof x) != 0) {
        ++different;
        break;
      }
    }
  }
  const double scalar_s = t_scalar[1] - t_scalar[0];
  const double lanes_s = t_lanes[1] - t_lanes[0];
  const double ns = 1e9 / static_cast<double>(groups * kLanes);
  fmt::print(
      "{:2} unknowns: {:7} systems, scalar {:6.1f} ns, lanes {:6.1f} ns ({:.2f} times), with "
      "transposition {:6.1f} ns; other bits: {}\n",
      N, groups * kLanes, ns * scalar_s, ns * lanes_s, scalar_s / lanes_s, ns * t_lanes[1],
      different);
}

}  // namespace

extern "C" bool __real__ZN8graspmap11solve_denseEPdiiS0_(double* A, int n, int stride, double* b);
extern "C" bool __wrap__ZN8graspmap11solve_denseEPdiiS0_(double* A, int n, int stride, double* b) {
  if (recording) record(A, n, stride, b);
  return __real__ZN8graspmap11solve_denseEPdiiS0_(A, n, stride, b);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: graspmap_lanes CONFIG N [KEY=VALUE...]\n");
    return 2;
  }
  const graspmap::SweepConfig config =
      graspmap::read_sweep_config(argv[1], std::vector<std::string>(argv + 3, argv + argc));
  graspmap::Workspace workspace;
  graspmap::SimulationResult result;
  recording = true;
  for (std::int64_t i = 0; i < std::strtoll(argv[2], nullptr, 10); ++i) {
    recorded.emplace_back();
    graspmap::run_trial(config, i, workspace, result);
  }
  recording = false;
  std::map<int, std::int64_t> sizes;
  std::map<std::uint64_t, std::int64_t> patterns;
  std::int64_t all = 0;
  for (const auto& trial : recorded) {
    for (const System& system : trial) {
      ++sizes[system.n];
      ++patterns[system.zeros];
      ++all;
    }
  }
  fmt::print("{} trials, {} systems, {} patterns; by unknowns:", recorded.size(), all,
             patterns.size());
  for (const auto& [n, count] : sizes) {
    fmt::print(" {}: {:.1f} %", n, 100.0 * static_cast<double>(count) / static_cast<double>(all));
  }
  fmt::print("\n");
  const auto by_size = [](const System& system) { return static_cast<std::uint64_t>(system.n); };
  const auto by_pattern = [](const System& system) { return system.zeros; };
  for (const std::size_t lanes : {4, 8}) {
    fmt::print(
        "{} lanes full in lock-step: by size {:.3f}, by pattern {:.3f}; from a pool of 32: "
        "{:.3f}, {:.3f}; of 128: {:.3f}, {:.3f}\n",
        lanes, fill_in_lock_step(lanes, by_size), fill_in_lock_step(lanes, by_pattern),
        fill_from_pool(lanes, 32, by_size), fill_from_pool(lanes, 32, by_pattern),
        fill_from_pool(lanes, 128, by_size), fill_from_pool(lanes, 128, by_pattern));
  }
  if (!__builtin_cpu_supports("avx2")) return 0;
  time_elimination<4>();
  time_elimination<5>();
  time_elimination<6>();
  time_elimination<7>();
  time_elimination<8>();
  time_elimination<9>();
  time_elimination<10>();
}
