#include "grasp/app/program/program.hpp"
#include "lab/commands/commands.hpp"
#include "lab/stepper_study/sweep_steppers.hpp"

int main(int argc, char** argv) {
  graspmap::install_scene_steppers();
  graspmap::Program program{
      "graspmap-lab", "simulate scenes of bodies with contact, and study time-steppers",
      "graspmap-lab simulates scenes of bodies with contact and friction, in the plane and in\n"
      "space, checks the examples of the papers, and compares time-steppers. It has all commands\n"
      "of graspmap too, and runs sweeps with any time-stepper.\n",
      "graspmap-lab simulate configs/scenes/box_stack.toml", graspmap::lab_commands()};
  for (const graspmap::Command& command : graspmap::grasp_commands()) {
    program.commands.push_back(command);
  }
  return graspmap::run_program(program, argc, argv);
}
