#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "grasp/base/solids/solid.hpp"

namespace graspmap {

/// What is read of a STEP file.
struct StepRequest {
  std::string file;
  double scale = 1.0;         ///< of all lengths, after the file's unit
  int solid = 0;              ///< from 1; 0: the only one
  double deviation_mm = 0.0;  ///< > 0: of the mesh from the solid
};

/// The function of the module: OpenCASCADE is loaded with it, when it is needed. The caller owns
/// the solid. Throws std::runtime_error, "what is wrong; what is allowed".
using ReadStep = SolidBody* (*)(const StepRequest& request);
inline constexpr const char* kReadStep = "graspmap_read_step";

/// The solid of a STEP file. Throws ConfigError naming the file, also where graspmap was built, or
/// installed, without OpenCASCADE.
std::unique_ptr<SolidBody> read_step(const StepRequest& request);

/// Loads what reads STEP files, unless it is. Throws ConfigError naming the file where it is
/// missing.
void load_step_module(const std::string& file);

/// Does some work in a process of its own, and forgets what comes of it; false when the work
/// crashes or takes more time of a processor, as OpenCASCADE does on some broken files.
bool ends_without_crash(const std::function<void()>& work, std::uint64_t most_cpu_s);

}  // namespace graspmap
