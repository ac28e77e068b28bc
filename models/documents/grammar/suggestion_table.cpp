#include "models/documents/grammar/suggestion_table.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace spillway::grammar {
namespace {

// Rows of equal meaning in one: words separated by blanks. A blank before the first stands for a number without a unit.
constexpr std::array table = [] {
  using enum MistakeKind;
  return std::to_array<Suggestion>({
      // Durations. A number without a unit is in seconds.
      {time_unit, " s sec secs second seconds", "s"},
      {time_unit, "ms msec msecs milli millis millisecond milliseconds", "ms"},
      {time_unit, "us \xc2\xb5s \xce\xbcs usec usecs micro micros microsecond microseconds", "us"},
      {time_unit, "ns nanos nanosecond nanoseconds", "ns"},
      {time_unit, "m min mins minute minutes", "m"},
      {time_unit, "h hr hrs hour hours", "h"},
      // Rates. A number per minute, `rpm`, is divided by 60.
      {rate_unit,
       " rps qps tps ops /s /sec /second r/s req reqs req/s req/sec reqs/s reqs/sec requests request/s requests/s "
       "requests/sec requests/second rq/s queries/s hz persecond",
       "rps"},
      {rate_unit, "rpm /m /min /minute req/min requests/min requests/minute", "rpm"},
      // Percentages.
      {percent_unit, " % percent pct p", "%"},
      // Sizes of memory.
      {memory_unit, "m mb meg", "MB"},
      {memory_unit, "g gb gig", "GB"},
      {memory_unit, "t tb", "TB"},
      {memory_unit, "mi mib", "MiB"},
      {memory_unit, "gi gib", "GiB"},
      {memory_unit, "ti tib", "TiB"},
      // Keys by the names of other programs and of everyday language. The first one that the object has is suggested.
      {key, "id title", "name"},
      {key, "name", "id"},
      {key, "replicas replica_count instances number size", "count"},
      {key, "latency delay response_time processing_time", "service_time"},
      {key, "delay rtt", "latency"},
      {key, "time when start", "at"},
      {key, "cpu cpus threads workers", "cores"},
      {key, "down offline kill", "outage"},
      {key, "fail errors error_rate", "fails"},
      {key, "rps qps requests_per_second throughput", "rate"},
      {key, "load traffic", "workload"},
      {key, "target upstream destination cluster to", "service"},
      {key, "hosts instances servers backends pods members", "endpoints"},
      {key, "az location locality datacenter", "zone"},
      {key, "datacenters regions azs localities", "zones"},
      {key, "policy algorithm balancer load_balancing", "lb_policy"},
      {key, "events changes", "timeline"},
      {key, "length runtime simulation_time", "duration"},
      {key, "users consumers callers sources", "clients"},
      {key, "upstreams backends", "services"},
      {key, "host", "node"},
      {key, "hosts", "nodes"},
      {key, "labels", "tags"},
      {key, "from to", "between"},
      {key, "expectations assert assertions", "expect"},
      {key, "slo slos", "objectives"},
      // Keys in the wrong place.
      {place, "rate rps service", "it belongs to the client's workload: `workload: { service: NAME, rate: 100rps }`",
       "workload"},
      {place, "lb_policy", "it belongs to the cluster: `clusters: [{ name: SERVICE, lb_policy: ... }]`", "endpoints"},
      {place, "health_checks", "it belongs to the cluster: `clusters: [{ name: SERVICE, health_checks: ... }]`",
       "endpoints"},
      {place, "outlier_detection", "it belongs to the cluster: `clusters: [{ name: SERVICE, outlier_detection: ... }]`",
       "endpoints"},
      {place, "circuit_breakers", "it belongs to the cluster: `clusters: [{ name: SERVICE, circuit_breakers: ... }]`",
       "endpoints"},
      {place, "zone count replicas", "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME }]`", "endpoints"},
      {place, "cores", "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME, cores: 4 }]`", "endpoints"},
      {place, "service_time", "it belongs to endpoints: `endpoints: [{ count: 2, zone: NAME, service_time: 5ms }]`",
       "endpoints"},
      {place, "endpoints", "they belong to a service: `services: [{ name: NAME, endpoints: [...] }]`", "workload"},
      {place, "retries", "they belong to a route: `retry_policy` of a route in `routes`", "workload"},
      {place, "timeout", "it belongs to a route: `timeout` of a route in `routes`", "workload"},
      {place, "locality_lb_setting", "it belongs to the load balancer: `loadBalancer: { localityLbSetting: ... }`",
       "outlierDetection"},
      {place, "simple", "it belongs to the load balancer: `loadBalancer: { simple: ... }`", "outlierDetection"},
      {place, "consistent_hash", "it belongs to the load balancer: `loadBalancer: { consistentHash: ... }`",
       "outlierDetection"},
      {place, "consecutive5xx_errors", "it belongs to `outlierDetection: { consecutive5xxErrors: 5 }`",
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

std::span<const Suggestion> suggestion_table() {
  static const std::vector<Suggestion> rows = [] {
    std::vector<Suggestion> each;
    for (const Suggestion& row : table) {
      for (std::size_t begin = 0; begin <= row.written.size();) {
        const std::size_t end = std::min(row.written.find(' ', begin), row.written.size());
        each.push_back({row.kind, row.written.substr(begin, end - begin), row.meant, row.beside});
        begin = end + 1;
      }
    }
    return each;
  }();
  return rows;
}

std::span<const Suggestion> suggestions_of(MistakeKind kind) {
  const std::span<const Suggestion> rows = suggestion_table();
  const auto is_other = [kind](const Suggestion& row) { return row.kind != kind; };
  const auto first = std::find_if_not(rows.begin(), rows.end(), is_other);
  return {first, std::find_if(first, rows.end(), is_other)};
}

std::string_view meant_unit(MistakeKind kind, std::string_view written) {
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
