#include "reports/records/run_records.hpp"

#include <fmt/format.h>

#include "models/config/seconds.hpp"
#include "models/numeric/stable_sort.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/text/names.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/outcome.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {

std::string RecordValue::cell() const {
  if (const auto* const text = std::get_if<std::string>(&value_)) {
    return *text;
  }
  std::string digits;
  with_number([&](auto number) { digits = fmt::format("{}", number); });
  return digits;
}

documents::JsonText RecordValue::json() const {
  if (const auto* const text = std::get_if<std::string>(&value_)) {
    return *text;
  }
  documents::JsonText json;
  with_number([&](auto number) { json = number; });
  return json;
}

documents::JsonText RecordType::schema() const {
  using Json = documents::JsonText;
  Json type = {{"type", nullable ? Json::array({name, "null"}) : Json(name)}};
  if (*description != '\0') {
    type.add("description", description);
  }
  return type;
}

namespace {

// Adds the epoch's number and, in sheets, its times.
template <class Row>
void add_epoch(Record<Row>& record, const EpochFinder& epochs) {
  record.number("epoch", [](const Row& row) { return row.epoch; });
  for (const auto& [name, time] : {std::pair("start_s", &run::Epoch::start), {"end_s", &run::Epoch::end}}) {
    record.add({.name = name,
                .value = [&epochs, time](const Row& row) -> RecordValue {
                  const run::Epoch* const epoch = epochs.find(row.client, row.service, row.epoch);
                  return epoch == nullptr ? RecordValue() : config::seconds(epoch->*time);
                },
                .number = true,
                .in_json = false});
  }
}

template <class Row>
void add_client(Record<Row>& record, const scenario::Scenario& scenario, const Dimensions& by) {
  record.text("client", [&scenario, named = by.has(Dimension::client)](const Row& row) {
    return named ? scenario.clients[row.client.value].name : std::string();
  });
}

template <class Row>
void add_service(Record<Row>& record, const scenario::Scenario& scenario) {
  record.text("service", [&scenario](const Row& row) { return scenario.services[row.service.value].name; });
}

// Adds the epoch's number, the client and the service.
template <class Row>
void add_place(Record<Row>& record, const scenario::Scenario& scenario, const Dimensions& by) {
  record.number("epoch", [](const Row& row) { return row.epoch; });
  add_client(record, scenario, by);
  add_service(record, scenario);
}

}  // namespace

Record<run::Epoch> epoch_record(const scenario::Scenario& scenario, const Dimensions& by) {
  using Row = run::Epoch;
  Record<Row> record;
  record.number("index", [](const Row& row) { return row.index; });
  add_client(record, scenario, by);
  add_service(record, scenario);
  record.number("start_s", [](const Row& row) { return config::seconds(row.start); });
  record.number("end_s", [](const Row& row) { return config::seconds(row.end); });
  record.number("states", [](const Row& row) { return row.states; });
  record.text("label", [](const Row& row) { return row.health->label; });
  return record;
}

Record<run::Share> share_record(const scenario::Scenario& scenario, const run::Results& results, const Dimensions& by,
                                const EpochFinder& epochs) {
  using Row = run::Share;
  Record<Row> record;
  add_epoch(record, epochs);
  add_client(record, scenario, by);
  add_service(record, scenario);
  record.text("cluster", [](const Row& row) { return row.cluster; });
  record.number("priority", [known = by.has(Dimension::priority)](const Row& row) {
    return known ? std::optional(row.priority.value) : std::nullopt;
  });
  record.text("availability", [known = by.has(Dimension::availability)](const Row& row) {
    return known ? std::string_view(name_of(row.availability)) : std::string_view();
  });
  for (const auto& [name, text] : {std::pair("region", &Row::region),
                                   {"zone", &Row::zone},
                                   {"sub_zone", &Row::sub_zone},
                                   {"node", &Row::node},
                                   {"subset", &Row::subset},
                                   {"via", &Row::via},
                                   {"endpoint", &Row::endpoint}}) {
    record.text(name, [text](const Row& row) { return row.*text; });
  }
  record.number(
      results.at_rest ? "at_rest" : "exact", [](const Row& row) { return row.exact; },
      {"spillway_share_exact_ratio", "gauge", "ratio",
       "Part of the client's requests whose first pick is this endpoint, as Envoy's arithmetic computes it."});
  record.text("exact_basis", [](const Row& row) { return row.exact_basis; });
  record.number("simulated", [](const Row& row) { return row.simulated; },
                {"spillway_share_simulated_ratio", "gauge", "ratio",
                 "Part of the client's requests whose first attempt went to this endpoint."});
  record.number("ci95", [](const Row& row) { return row.ci95; });
  record.number("requests", [](const Row& row) { return row.requests; });
  record.number("attempts", [](const Row& row) { return row.attempts; },
                {"spillway_attempts", "counter", "", "Attempts at requests that went to this endpoint."});
  return record;
}

const Record<run::Outcomes>& outcome_counts() {
  using Row = run::Outcomes;
  static const Record<Row> record = [] {
    Record<Row> counts;
    counts.number("sent", [](const Row& row) { return row.sent; });
    for (std::size_t outcome = 0; outcome < scenario::outcome_names.size(); ++outcome) {
      counts.number(scenario::outcome_names[outcome], [outcome](const Row& row) { return row.counts.all[outcome]; });
    }
    counts.number("retries", [](const Row& row) { return row.retries; },
                  {"spillway_retries", "counter", "", "Attempts beyond the first of a request."});
    return counts;
  }();
  return record;
}

Record<run::Outcomes> outcome_record(const scenario::Scenario& scenario, const Dimensions& by) {
  Record<run::Outcomes> record;
  add_place(record, scenario, by);
  record.add_fields_of(outcome_counts());
  return record;
}

const Record<run::Latency>& latency_quantiles() {
  using Row = run::Latency;
  static const Record<Row> record = [] {
    Record<Row> quantiles;
    for (const auto& [name, quantile] : {std::pair("p50", &Row::p50),
                                         {"p90", &Row::p90},
                                         {"p95", &Row::p95},
                                         {"p99", &Row::p99},
                                         {"max", &Row::max}}) {
      quantiles.number(
          name, [quantile](const Row& row) { return row.answers > 0 ? RecordValue(row.*quantile) : RecordValue(); });
    }
    return quantiles;
  }();
  return record;
}

Record<run::Latency> latency_record(const scenario::Scenario& scenario, const Dimensions& by) {
  Record<run::Latency> record;
  add_place(record, scenario, by);
  record.number("answers", [](const run::Latency& row) { return row.answers; });
  record.add_fields_of(latency_quantiles());
  return record;
}

std::vector<WholeQuantiles> whole_quantiles(const run::Results& results) {
  std::vector<WholeQuantiles> rows;
  for (const run::WholeLatency& row : results.whole_latency) {
    rows.push_back({row.client, row.service, "ok", &row.ok});
    rows.push_back({row.client, row.service, "errors", &row.errors});
  }
  return rows;
}

Record<WholeQuantiles> whole_latency_record(const scenario::Scenario& scenario) {
  using Row = WholeQuantiles;
  using run::LatencyQuantiles;
  Record<Row> record;
  add_client(record, scenario, Dimensions::everything());
  add_service(record, scenario);
  record.text("of", [](const Row& row) { return row.of; });
  record.number("answers", [](const Row& row) { return row.quantiles->answers; });
  for (const auto& [name, quantile] : {std::pair("p50", &LatencyQuantiles::p50),
                                       {"p90", &LatencyQuantiles::p90},
                                       {"p95", &LatencyQuantiles::p95},
                                       {"p99", &LatencyQuantiles::p99},
                                       {"p99_9", &LatencyQuantiles::p999},
                                       {"max", &LatencyQuantiles::max}}) {
    record.number(name, [quantile](const Row& row) {
      return row.quantiles->answers > 0 ? std::optional(row.quantiles->*quantile) : std::nullopt;
    });
  }
  return record;
}

std::vector<HostEvent> host_events(const run::Results& results) {
  std::vector<HostEvent> events;
  for (const run::Ejection& row : results.ejections) {
    events.push_back(
        {row.at, row.client, row.cluster, row.endpoint, row.instance, row.ejected ? "ejected" : "returned"});
  }
  for (const run::CheckedHealth& row : results.checked) {
    events.push_back({row.at, row.client, row.cluster, row.endpoint, row.instance,
                      row.health == envoy::Health::healthy    ? "healthy"
                      : row.health == envoy::Health::degraded ? "degraded"
                                                              : "unhealthy"});
  }
  numeric::stable_sort(events, [](const auto& one, const auto& other) { return one.at < other.at; });
  return events;
}

Record<HostEvent> host_event_record(const scenario::Scenario& scenario, const Dimensions& by) {
  Record<HostEvent> record;
  record.number("at_s", [](const HostEvent& row) { return config::seconds(row.at); });
  add_client(record, scenario, by);
  add_service(record, scenario);
  record.text("endpoint", [&scenario](const HostEvent& row) { return scenario.endpoints[row.endpoint.value].id; });
  record.text("event", [](const HostEvent& row) { return row.event; });
  record.number("instance", [](const HostEvent& row) { return row.instance; });
  return record;
}

Record<run::EndpointLoad> load_record(const scenario::Scenario& scenario, scenario::Mode mode, const char* number) {
  using Row = run::EndpointLoad;
  const auto node_of = [&scenario](const Row& row) -> const scenario::Node& {
    return scenario.nodes[scenario.endpoints[row.endpoint.value].node.value];
  };
  Record<Row> record;
  record.number(number, [](const Row& row) { return row.epoch; });
  record.number("start_s", [](const Row& row) { return config::seconds(row.start); });
  record.number("end_s", [](const Row& row) { return config::seconds(row.end); });
  add_service(record, scenario);
  record.text("endpoint", [&scenario](const Row& row) { return scenario.endpoints[row.endpoint.value].id; });
  record.text("zone", [&scenario, node_of](const Row& row) { return scenario.zones[node_of(row).zone.value].name; });
  record.text("node", [node_of](const Row& row) { return node_of(row).name; });
  record.number("utilisation", [](const Row& row) { return row.utilisation; },
                {"spillway_endpoint_utilisation_ratio", "gauge", "ratio", "Busy time of the endpoint's cores."});
  record.number("queue_mean", [](const Row& row) { return row.queue_mean; },
                {"spillway_endpoint_queue_mean", "gauge", "", "Requests that wait for a core, on average over time."});
  record.number("queue_max", [](const Row& row) { return row.queue_max; },
                {"spillway_endpoint_queue_max", "gauge", "", "Requests that wait for a core, at most."});
  record.number("requests", [is_exact = mode == scenario::Mode::exact](const Row& row) {
    return is_exact ? RecordValue(row.expected) : RecordValue(row.requests);
  });
  // A counter of what was sent: 0 in mode exact.
  record.add({.name = "requests",
              .value = [](const Row& row) { return row.requests; },
              .metric = {"spillway_endpoint_requests", "counter", "", "Attempts that proxies sent to the endpoint."},
              .in_sheets = false,
              .in_json = false});
  return record;
}

Record<run::CrossZone> crossing_record(const scenario::Scenario& scenario, const run::Results& results,
                                       const Dimensions& by, const EpochFinder& epochs) {
  using Row = run::CrossZone;
  Record<Row> record;
  add_epoch(record, epochs);
  add_client(record, scenario, by);
  add_service(record, scenario);
  record.text("from", [&scenario](const Row& row) { return scenario.zones[row.from.value].name; });
  record.text("to", [&scenario](const Row& row) { return scenario.zones[row.to.value].name; });
  record.number("exact", [](const Row& row) { return row.exact; });
  // Counts are whole numbers; expectations of mode exact are not, and are NaN without a closed form.
  const auto add = [&](const char* name, double Row::* count, RecordMetric metric) {
    record.number(
        name,
        [count, is_exact = results.mode == scenario::Mode::exact](const Row& row) {
          return is_exact ? RecordValue(row.*count) : RecordValue(static_cast<std::uint64_t>(row.*count));
        },
        metric);
  };
  add("requests", &Row::requests,
      {"spillway_cross_zone_requests", "counter", "", "Attempts that went from one zone to another."});
  add("request_bytes", &Row::request_bytes,
      {"spillway_cross_zone_request_bytes", "counter", "bytes", "Bytes of requests between zones."});
  add("response_bytes", &Row::response_bytes,
      {"spillway_cross_zone_response_bytes", "counter", "bytes", "Bytes of answers between zones."});
  return record;
}

}  // namespace spillway::reports
