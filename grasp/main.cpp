#include "grasp/app/program/program.hpp"

int main(int argc, char** argv) {
  const graspmap::Program program{
      "graspmap",
      "map from where a gripper grasps a part best",
      "graspmap simulates how a parallel-jaw gripper closes on a flat part, and maps from where\n"
      "the grasp succeeds.\n",
      "graspmap run configs/lock_piece.toml",
      graspmap::grasp_commands(),
      "graspmap-lab",
      {"simulate", "validate", "study-steppers"}};
  return graspmap::run_program(program, argc, argv);
}
