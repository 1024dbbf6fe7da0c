#include "bench/peers/graspmap_engine.hpp"

namespace graspmap::bench {
namespace {

class GraspmapEngine : public Engine {
 public:
  explicit GraspmapEngine(const Scenario& scenario) : scenario_(scenario) {}

  void simulate(const TrialParameters& trial, SimulationResult& result) override {
    graspmap::simulate(scenario_, trial, workspace_, result);
  }

 private:
  Scenario scenario_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<Engine> make_graspmap_engine(const Scenario& scenario) {
  return std::make_unique<GraspmapEngine>(scenario);
}

}  // namespace graspmap::bench
