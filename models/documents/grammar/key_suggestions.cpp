#include <algorithm>
#include <array>

#include "models/documents/grammar/unit_suggestions.hpp"

namespace spillway::grammar {
namespace {

struct CommonMistake {
  std::string_view written;
  std::string_view meant;
};

// Keys as other programs, and plain speech, have them. The first that is known counts.
constexpr std::array common_mistakes = std::to_array<CommonMistake>({
    {"id", "name"},
    {"name", "id"},
    {"title", "name"},
    {"replicas", "count"},
    {"replica_count", "count"},
    {"instances", "count"},
    {"number", "count"},
    {"size", "count"},
    {"latency", "service_time"},
    {"delay", "service_time"},
    {"response_time", "service_time"},
    {"processing_time", "service_time"},
    {"delay", "latency"},
    {"rtt", "latency"},
    {"time", "at"},
    {"when", "at"},
    {"start", "at"},
    {"cpu", "cores"},
    {"cpus", "cores"},
    {"threads", "cores"},
    {"workers", "cores"},
    {"down", "outage"},
    {"offline", "outage"},
    {"kill", "outage"},
    {"fail", "fails"},
    {"errors", "fails"},
    {"error_rate", "fails"},
    {"rps", "rate"},
    {"qps", "rate"},
    {"requests_per_second", "rate"},
    {"throughput", "rate"},
    {"load", "workload"},
    {"traffic", "workload"},
    {"target", "service"},
    {"upstream", "service"},
    {"destination", "service"},
    {"cluster", "service"},
    {"to", "service"},
    {"hosts", "endpoints"},
    {"instances", "endpoints"},
    {"servers", "endpoints"},
    {"backends", "endpoints"},
    {"pods", "endpoints"},
    {"members", "endpoints"},
    {"az", "zone"},
    {"location", "zone"},
    {"locality", "zone"},
    {"datacenter", "zone"},
    {"datacenters", "zones"},
    {"regions", "zones"},
    {"azs", "zones"},
    {"localities", "zones"},
    {"policy", "lb_policy"},
    {"algorithm", "lb_policy"},
    {"balancer", "lb_policy"},
    {"load_balancing", "lb_policy"},
    {"events", "timeline"},
    {"changes", "timeline"},
    {"length", "duration"},
    {"runtime", "duration"},
    {"simulation_time", "duration"},
    {"users", "clients"},
    {"consumers", "clients"},
    {"callers", "clients"},
    {"sources", "clients"},
    {"upstreams", "services"},
    {"backends", "services"},
    {"host", "node"},
    {"hosts", "nodes"},
    {"labels", "tags"},
    {"from", "between"},
    {"to", "between"},
    {"expectations", "expect"},
    {"assert", "expect"},
    {"assertions", "expect"},
    {"slo", "objectives"},
    {"slos", "objectives"},
});

struct Place {
  std::string_view written;
  std::string_view known_by;  // a key of the object in which it was written
  std::string_view where;
};

constexpr std::array places = std::to_array<Place>({
    {"rate", "workload", "it belongs to the client's workload: `workload: { service: NAME, rate: 100rps }`"},
    {"rps", "workload", "it belongs to the client's workload: `workload: { service: NAME, rate: 100rps }`"},
    {"service", "workload", "it belongs to the client's workload: `workload: { service: NAME, rate: 100rps }`"},
    {"lb_policy", "endpoints", "it belongs to the cluster: `clusters: [{ name: SERVICE, lb_policy: ... }]`"},
    {"health_checks", "endpoints", "it belongs to the cluster: `clusters: [{ name: SERVICE, health_checks: ... }]`"},
    {"outlier_detection", "endpoints",
     "it belongs to the cluster: `clusters: [{ name: SERVICE, outlier_detection: ... }]`"},
    {"circuit_breakers", "endpoints",
     "it belongs to the cluster: `clusters: [{ name: SERVICE, circuit_breakers: ... }]`"},
    {"zone", "endpoints", "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME }]`"},
    {"count", "endpoints", "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME }]`"},
    {"replicas", "endpoints", "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME }]`"},
    {"cores", "endpoints", "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME, cores: 4 }]`"},
    {"service_time", "endpoints",
     "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME, service_time: 5ms }]`"},
    {"endpoints", "workload", "they belong to a service: `services: [{ name: NAME, endpoints: [...] }]`"},
    {"retries", "workload", "they belong to a route: `retry_policy` of a route in `routes`"},
    {"timeout", "workload", "it belongs to a route: `timeout` of a route in `routes`"},
});

bool has(const std::vector<std::string>& known, std::string_view key) {
  return std::find(known.begin(), known.end(), key) != known.end();
}

// "ReplicaCount", "replica-count" and "replica_count" are one habit.
std::string plain_key(std::string_view key) {
  std::string plain;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') {
      plain += plain.empty() || plain.back() == '_' ? "" : "_";
      plain += static_cast<char>(c - 'A' + 'a');
    } else {
      plain += c == '-' || c == ' ' ? '_' : c;
    }
  }
  return plain;
}

}  // namespace

std::string meant_key(std::string_view written, const std::vector<std::string>& known) {
  const std::string plain = plain_key(written);
  for (const CommonMistake& common_mistake : common_mistakes) {
    if (common_mistake.written == plain && has(known, common_mistake.meant)) {
      return std::string(common_mistake.meant);
    }
  }
  return {};
}

std::string right_place(std::string_view written, const std::vector<std::string>& known) {
  const std::string plain = plain_key(written);
  for (const Place& place : places) {
    if (place.written == plain && has(known, place.known_by)) {
      return std::string(place.where);
    }
  }
  return {};
}

}  // namespace spillway::grammar
