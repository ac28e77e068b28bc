// Writes the assumed scenario: its resources, and clients that call its services.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/pasted/assumed_zones.hpp"
#include "sim/scenario/pasted/first_request.hpp"
#include "sim/scenario/pasted/world.hpp"

namespace spillway::scenario::pasted {

struct CalledService {
  std::string name = {};
  std::string name_space = {};
  std::string reference = {};         // the service's name in a client's workload
  std::string caller_namespace = {};  // empty for the service's own
  std::string routes = {};            // the effective VirtualService
  FirstRequest request = {};
  bool is_of_gateway = false;  // a host of a gateway, which its clients stand for
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
  std::vector<CalledService> services = {};  // services that rules name come first
  std::vector<CallerPod> pods = {};
  std::map<std::string, std::map<std::string, std::string>> selectors = {};  // of services and workloads, by name
  std::map<std::string, double> utilization = {};                            // target of autoscalers [%], by workload
};

// Writes `world.text`, and adds the assumptions. Sets `world.problem` if no client can call, or if the question names
// something unknown.
void write_scenario(const CallerQuestion& asked, const std::vector<Json>& resources, const PastedDocuments& documents,
                    World& world);

}  // namespace spillway::scenario::pasted
