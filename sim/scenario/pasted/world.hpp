// The world around pasted documents: what they do not say, assumed and named.
//
//   World world = assume_world(documents, {.from = "frontend"});
//   world.text;      // a scenario whose `resources` are the files and what was assumed
//   world.assumed;   // "2 pods of `reviews` in each of 3 zones: no Deployment, Pod or EndpointSlice has any"
//
// Zones are those asked for, else those of Nodes, else those that rules name, else three. Deployments become pods, one
// zone after the other. Hosts that rules name without a Service get one. A client in each zone calls each service; with
// `from` they are the pods of a Deployment or Service, or a zone's. Rules for requests with certain headers or paths
// are asked by the first request that they match. Linear in pods, services and zones.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace spillway::scenario::pasted {

struct PastedDocuments;  // pasted_documents.hpp

struct Question {
  std::string from = {};                                        // a pod, a Deployment, a Service or a zone
  std::string to = {};                                          // a host
  std::optional<double> rate = {};                              // requests per second of all clients together
  std::map<std::string, double> rates = {};                     // to single services
  std::map<std::string, double> capacities = {};                // of each pod of a service, requests per second
  std::vector<std::pair<std::string, std::size_t>> zones = {};  // with the service's pods there; 0 if not given
  std::string profile = {};                                     // "istio=release-1.30"; empty for the newest release
  bool names_release = true;                                    // the release is among the assumptions
  bool one_client = false;                                      // only the first client
  bool plans = false;                                           // failures are planned for
  bool only_pods = false;                                       // no requests to hosts without pods
  bool counts_requests = false;                                 // requests are simulated, not only shares
  bool only_checks = false;                                     // documents that move no requests are enough
};

struct World {
  std::string text = {};
  std::string resources = {};      // part of `text`: the assumed documents, one item of `resources` per line
  std::string without_rules = {};  // `text` without policies; empty if resources are left out instead
  std::vector<std::string> assumed = {};
  std::string problem = {};  // the reason if there is no scenario; empty on success
  std::string help = {};
  std::vector<std::string> services = {};      // called by clients
  std::set<std::string> gateway_routes = {};   // "namespace/name" of VirtualServices of gateways
  std::set<std::string> gateway_clients = {};  // clients that stand for a gateway
};

[[nodiscard]] World assume_world(PastedDocuments& documents, const Question& question);

// Returns the scenario's `profile`; empty for the default. Names the release among `world.assumed`, or sets the
// problem if the question asks for one of another program than `of` (istio, kuma).
[[nodiscard]] std::string profile_text(const Question& question, const std::string& of, World& world);

// Return the text of a member of the scenario (zones, clients ...), for both kinds of documents.
[[nodiscard]] std::string quoted_text(const std::string& text);
[[nodiscard]] std::string number_text(double number);

}  // namespace spillway::scenario::pasted
