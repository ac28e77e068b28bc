#include "models/documents/grammar/suggestion_table.hpp"

#include <algorithm>
#include <array>

namespace spillway::grammar {
namespace {

constexpr std::string_view to_workload =
    "it belongs to the client's workload: `workload: { service: NAME, rate: 100rps }`";
constexpr std::string_view to_endpoints = "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME }]`";

constexpr std::array table = [] {
  using enum MistakeKind;
  return std::to_array<Suggestion>({
      // Durations. A number without a unit is in seconds.
      {time_unit, "", "s"},
      {time_unit, "s", "s"},
      {time_unit, "sec", "s"},
      {time_unit, "secs", "s"},
      {time_unit, "second", "s"},
      {time_unit, "seconds", "s"},
      {time_unit, "ms", "ms"},
      {time_unit, "msec", "ms"},
      {time_unit, "msecs", "ms"},
      {time_unit, "milli", "ms"},
      {time_unit, "millis", "ms"},
      {time_unit, "millisecond", "ms"},
      {time_unit, "milliseconds", "ms"},
      {time_unit, "us", "us"},
      {time_unit, "\xc2\xb5s", "us"},
      {time_unit, "\xce\xbcs", "us"},
      {time_unit, "usec", "us"},
      {time_unit, "usecs", "us"},
      {time_unit, "micro", "us"},
      {time_unit, "micros", "us"},
      {time_unit, "microsecond", "us"},
      {time_unit, "microseconds", "us"},
      {time_unit, "ns", "ns"},
      {time_unit, "nanos", "ns"},
      {time_unit, "nanosecond", "ns"},
      {time_unit, "nanoseconds", "ns"},
      {time_unit, "m", "m"},
      {time_unit, "min", "m"},
      {time_unit, "mins", "m"},
      {time_unit, "minute", "m"},
      {time_unit, "minutes", "m"},
      {time_unit, "h", "h"},
      {time_unit, "hr", "h"},
      {time_unit, "hrs", "h"},
      {time_unit, "hour", "h"},
      {time_unit, "hours", "h"},
      // Rates. A number per minute, `rpm`, is divided by 60.
      {rate_unit, "", "rps"},
      {rate_unit, "rps", "rps"},
      {rate_unit, "qps", "rps"},
      {rate_unit, "tps", "rps"},
      {rate_unit, "ops", "rps"},
      {rate_unit, "/s", "rps"},
      {rate_unit, "/sec", "rps"},
      {rate_unit, "/second", "rps"},
      {rate_unit, "r/s", "rps"},
      {rate_unit, "req", "rps"},
      {rate_unit, "reqs", "rps"},
      {rate_unit, "req/s", "rps"},
      {rate_unit, "req/sec", "rps"},
      {rate_unit, "reqs/s", "rps"},
      {rate_unit, "reqs/sec", "rps"},
      {rate_unit, "requests", "rps"},
      {rate_unit, "request/s", "rps"},
      {rate_unit, "requests/s", "rps"},
      {rate_unit, "requests/sec", "rps"},
      {rate_unit, "requests/second", "rps"},
      {rate_unit, "rq/s", "rps"},
      {rate_unit, "queries/s", "rps"},
      {rate_unit, "hz", "rps"},
      {rate_unit, "persecond", "rps"},
      {rate_unit, "rpm", "rpm"},
      {rate_unit, "/m", "rpm"},
      {rate_unit, "/min", "rpm"},
      {rate_unit, "/minute", "rpm"},
      {rate_unit, "req/min", "rpm"},
      {rate_unit, "requests/min", "rpm"},
      {rate_unit, "requests/minute", "rpm"},
      // Percentages.
      {percent_unit, "", "%"},
      {percent_unit, "%", "%"},
      {percent_unit, "percent", "%"},
      {percent_unit, "pct", "%"},
      {percent_unit, "p", "%"},
      // Sizes of memory.
      {memory_unit, "m", "MB"},
      {memory_unit, "mb", "MB"},
      {memory_unit, "meg", "MB"},
      {memory_unit, "g", "GB"},
      {memory_unit, "gb", "GB"},
      {memory_unit, "gig", "GB"},
      {memory_unit, "t", "TB"},
      {memory_unit, "tb", "TB"},
      {memory_unit, "mi", "MiB"},
      {memory_unit, "mib", "MiB"},
      {memory_unit, "gi", "GiB"},
      {memory_unit, "gib", "GiB"},
      {memory_unit, "ti", "TiB"},
      {memory_unit, "tib", "TiB"},
      // Keys by the names of other programs and of everyday language. The first one that the object has is suggested.
      {key, "id", "name"},
      {key, "name", "id"},
      {key, "title", "name"},
      {key, "replicas", "count"},
      {key, "replica_count", "count"},
      {key, "instances", "count"},
      {key, "number", "count"},
      {key, "size", "count"},
      {key, "latency", "service_time"},
      {key, "delay", "service_time"},
      {key, "response_time", "service_time"},
      {key, "processing_time", "service_time"},
      {key, "delay", "latency"},
      {key, "rtt", "latency"},
      {key, "time", "at"},
      {key, "when", "at"},
      {key, "start", "at"},
      {key, "cpu", "cores"},
      {key, "cpus", "cores"},
      {key, "threads", "cores"},
      {key, "workers", "cores"},
      {key, "down", "outage"},
      {key, "offline", "outage"},
      {key, "kill", "outage"},
      {key, "fail", "fails"},
      {key, "errors", "fails"},
      {key, "error_rate", "fails"},
      {key, "rps", "rate"},
      {key, "qps", "rate"},
      {key, "requests_per_second", "rate"},
      {key, "throughput", "rate"},
      {key, "load", "workload"},
      {key, "traffic", "workload"},
      {key, "target", "service"},
      {key, "upstream", "service"},
      {key, "destination", "service"},
      {key, "cluster", "service"},
      {key, "to", "service"},
      {key, "hosts", "endpoints"},
      {key, "instances", "endpoints"},
      {key, "servers", "endpoints"},
      {key, "backends", "endpoints"},
      {key, "pods", "endpoints"},
      {key, "members", "endpoints"},
      {key, "az", "zone"},
      {key, "location", "zone"},
      {key, "locality", "zone"},
      {key, "datacenter", "zone"},
      {key, "datacenters", "zones"},
      {key, "regions", "zones"},
      {key, "azs", "zones"},
      {key, "localities", "zones"},
      {key, "policy", "lb_policy"},
      {key, "algorithm", "lb_policy"},
      {key, "balancer", "lb_policy"},
      {key, "load_balancing", "lb_policy"},
      {key, "events", "timeline"},
      {key, "changes", "timeline"},
      {key, "length", "duration"},
      {key, "runtime", "duration"},
      {key, "simulation_time", "duration"},
      {key, "users", "clients"},
      {key, "consumers", "clients"},
      {key, "callers", "clients"},
      {key, "sources", "clients"},
      {key, "upstreams", "services"},
      {key, "backends", "services"},
      {key, "host", "node"},
      {key, "hosts", "nodes"},
      {key, "labels", "tags"},
      {key, "from", "between"},
      {key, "to", "between"},
      {key, "expectations", "expect"},
      {key, "assert", "expect"},
      {key, "assertions", "expect"},
      {key, "slo", "objectives"},
      {key, "slos", "objectives"},
      // Keys in the wrong place.
      {place, "rate", to_workload, "workload"},
      {place, "rps", to_workload, "workload"},
      {place, "service", to_workload, "workload"},
      {place, "lb_policy", "it belongs to the cluster: `clusters: [{ name: SERVICE, lb_policy: ... }]`", "endpoints"},
      {place, "health_checks", "it belongs to the cluster: `clusters: [{ name: SERVICE, health_checks: ... }]`",
       "endpoints"},
      {place, "outlier_detection", "it belongs to the cluster: `clusters: [{ name: SERVICE, outlier_detection: ... }]`",
       "endpoints"},
      {place, "circuit_breakers", "it belongs to the cluster: `clusters: [{ name: SERVICE, circuit_breakers: ... }]`",
       "endpoints"},
      {place, "zone", to_endpoints, "endpoints"},
      {place, "count", to_endpoints, "endpoints"},
      {place, "replicas", to_endpoints, "endpoints"},
      {place, "cores", "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME, cores: 4 }]`", "endpoints"},
      {place, "service_time", "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME, service_time: 5ms }]`",
       "endpoints"},
      {place, "endpoints", "they belong to a service: `services: [{ name: NAME, endpoints: [...] }]`", "workload"},
      {place, "retries", "they belong to a route: `retry_policy` of a route in `routes`", "workload"},
      {place, "timeout", "it belongs to a route: `timeout` of a route in `routes`", "workload"},
      {place, "localityLbSetting", "it belongs to the load balancer: `loadBalancer: { localityLbSetting: ... }`",
       "outlierDetection"},
      {place, "simple", "it belongs to the load balancer: `loadBalancer: { simple: ... }`", "outlierDetection"},
      {place, "consistentHash", "it belongs to the load balancer: `loadBalancer: { consistentHash: ... }`",
       "outlierDetection"},
      {place, "consecutive5xxErrors", "it belongs to `outlierDetection: { consecutive5xxErrors: 5 }`",
       "outlierDetection"},
  });
}();

constexpr std::string_view to_anchor =
    "a `*` at the beginning of a value names an anchor; put a text that begins with it into quotes";

constexpr std::array yaml_table = [] {
  using enum YamlPlace;
  return std::to_array<YamlSuggestion>({
      {"end of map flow not found", bracket},
      {"end of sequence flow not found", bracket},
      {"illegal map value", colon},
      {"end of map not found", indentation},
      {"end of sequence not found", indentation},
      {"illegal block entry", indentation},
      {"illegal tab", tab, "indented by a tab", "YAML is indented by spaces: two of them instead of the tab"},
      {"unknown escape character", at_mark, "",
       "in double quotes a backslash begins an escape: write it twice, or use single quotes"},
      {"illegal flow end", at_mark, "this bracket closes nothing", "remove it, or open it before"},
      {"the referenced anchor is not defined", at_mark, "", to_anchor},
      {"alias not found", at_mark, "", to_anchor},
      {"unknown token", at_mark, "a value cannot begin with this character", "put the text into quotes"},
      {"illegal EOF in scalar", at_mark, "the file ends within a text", "a quote is never closed"},
      {"tag", at_mark, "", "a `!` at the beginning of a value is a tag; put a text that begins with it into quotes"},
  });
}();

}  // namespace

std::span<const Suggestion> suggestion_table() noexcept {
  return table;
}

std::span<const Suggestion> suggestions_of(MistakeKind kind) noexcept {
  const auto is_other = [kind](const Suggestion& row) { return row.kind != kind; };
  const auto* const first = std::find_if_not(table.begin(), table.end(), is_other);
  return {first, std::find_if(first, table.end(), is_other)};
}

std::string_view meant_unit(MistakeKind kind, std::string_view written) noexcept {
  for (const Suggestion& row : suggestions_of(kind)) {
    if (row.written == written) {
      return row.meant;
    }
  }
  return {};
}

std::span<const YamlSuggestion> yaml_suggestion_table() noexcept {
  return yaml_table;
}

}  // namespace spillway::grammar
