#include "bench/peers/sliding_cube/cube_case.hpp"

namespace graspmap::bench {

std::vector<CubeCase> cube_cases() {
  return {{"D1a", "no force"},
          {"D1b", "force (9, 0) N", {9.0, 0.0}},
          {"D1c", "force (4, 2) N", {4.0, 2.0}},
          {"D1d", "force (9, 0) N, e_o = 0.5", {9.0, 0.0}, 0.5}};
}

}  // namespace graspmap::bench
