// Writes the scenario of a world: its resources, and clients that call its services.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/pasted/assumed_zones.hpp"
#include "sim/scenario/pasted/route_edits.hpp"
#include "sim/scenario/pasted/world.hpp"

namespace spillway::scenario::pasted {

struct CalledService {
  std::string name = {};
  std::string name_space = {};
  std::string reference = {};         // by which a client's workload names it
  std::string caller_namespace = {};  // empty: its own
  std::string routes = {};            // the VirtualService in force
  FirstRequest request = {};
  std::size_t pods = 0;
  std::map<std::string, std::size_t> pods_in_zone = {};
};

struct CallerPod {
  std::string name = {};
  std::string name_space = {};
  std::map<std::string, std::string> labels = {};
  std::string node = {};
};

struct CallerQuestion {
  const Question& question;
  const std::vector<AssumedZone>& zones;
  std::vector<CalledService> services = {};  // those that rules name first
  std::vector<CallerPod> pods = {};
  std::map<std::string, std::map<std::string, std::string>> selectors = {};  // of services and workloads, by name
  std::map<std::string, double> utilization = {};  // that autoscalers aim at, of 100, by the name of the workload
};

// Writes `world.text`, and adds what was assumed. Sets `world.problem` if nobody can call, or the question names
// something unknown.
void write_scenario(const CallerQuestion& asked, const std::vector<Json>& resources, const PastedDocuments& documents,
                    World& world);

}  // namespace spillway::scenario::pasted
