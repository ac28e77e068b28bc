// Plays the scenario file that it is given and prints how many table rows that makes.
#include <iostream>

#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"

int main(int argc, char** argv) {
  const auto reading = spillway::scenario::read_scenario_file(argc > 1 ? argv[1] : "-");
  if (!reading.scenario) {
    return 2;
  }
  std::cout << spillway::run::run(*reading.scenario, {}).epochs.size() << " rows\n";
}
