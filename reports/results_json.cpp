#include <vector>

#include "models/config/metadata.hpp"
#include "models/config/seconds.hpp"
#include "models/documents/json_writer.hpp"
#include "models/istio/proxy.hpp"
#include "models/numeric/stable_sort.hpp"
#include "reports/formats.hpp"
#include "reports/records/run_records.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/shares/client_parts.hpp"
#include "reports/shares/documented_table.hpp"
#include "reports/shares/egress_designs.hpp"
#include "reports/shares/epoch_finder.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/shares/without_host.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"
#include "reports/text/profile_json.hpp"
#include "reports/text/table_json.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/egress_design_row.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/topology.hpp"

namespace spillway::reports {
namespace {

using Json = documents::JsonText;

// Writes rows with the names of clients and services, which grouped rows may lack.
class Writer {
 public:
  Writer(const Report& report, const Grouped& grouped)
      : report_(report),
        scenario_(report.scenario),
        grouped_(grouped),
        parts_(grouped),
        without_(grouped.results),
        epochs_(grouped.results),
        shares_(share_record(scenario_, grouped.results, grouped.by, epochs_)),
        endpoints_(load_record(scenario_, grouped.results.mode, "epoch")),
        samples_(load_record(scenario_, grouped.results.mode, "sample")),
        crossings_(crossing_record(scenario_, grouped.results, grouped.by, epochs_)) {}

  void write(JsonLines& lines, const std::vector<Json>& tables) const {
    const run::Results& results = grouped_.results;
    add(lines, "schema_version", 1);
    add(lines, "scenario", scenario_.name);
    add(lines, "profile", profile_json(scenario_.profile));
    add(lines, "seed", results.seed);
    add(lines, "mode", name_of(results.mode));
    add(lines, "replications", results.replications);
    add(lines, "unseed", results.result_fingerprint.empty() ? Json(nullptr) : Json(results.result_fingerprint));
    add_rows(lines, "epochs", results.epochs, &Writer::epoch);
    add_rows(lines, "shares", results.shares, &Writer::share);
    add_rows(lines, "outcomes", results.outcomes, &Writer::outcomes);
    add_rows(lines, "latency_s", results.latency, &Writer::latency);
    lines.begin_array("whole_latency_s");
    for (const run::WholeLatency& row : results.whole_latency) {
      lines.add_row(whole_latency(row, "ok", row.ok).text());
      lines.add_row(whole_latency(row, "errors", row.errors).text());
    }
    lines.end_array();
    add_rows(lines, "endpoints", results.endpoints, &Writer::endpoint);
    add_rows(lines, "cross_zone", results.cross_zone, &Writer::crossing);
    lines.begin_array("happenings");
    for (const std::string& logged_event : events_json(report_)) {
      lines.add_row(logged_event);
    }
    lines.end_array();
    if (!results.samples.empty()) {
      add_rows(lines, "samples", results.samples, &Writer::sample);
    }
    if (!results.ejections.empty() || !results.checked.empty()) {
      add_rows(lines, "host_events", host_events(results), &Writer::host_event);
    }
    if (scenario_.cla_cache || !scenario_.passed.empty()) {
      add_rows(lines, "assumptions", scenario_.assumptions, &Writer::text);
    }
    if (const auto& cache = scenario_.cla_cache) {
      add(lines, "cla_cache", {{"hits", cache->hits}, {"misses", cache->misses}});
    }
    if (!scenario_.egress_designs.empty()) {
      add_rows(lines, "egress_designs", scenario_.egress_designs, &Writer::egress_design);
    }
    if (report_.slices != nullptr) {
      const Grouped slices = group_by(scenario_, *report_.slices, grouped_.by);
      Writer(report_, slices).write_slices(lines);
    }
    lines.begin_array("tables");
    for (const Json& table : tables) {
      lines.add_row(table.text());
    }
    lines.end_array();
    lines.end();
  }

  // Writes the rows of a run that is cut at more times; `epoch` is the number of the slice.
  void write_slices(JsonLines& lines) const {
    const run::Results& results = grouped_.results;
    add_rows(lines, "slices", results.epochs, &Writer::epoch);
    add_rows(lines, "slice_shares", results.shares, &Writer::share);
    add_rows(lines, "slice_outcomes", results.outcomes, &Writer::outcomes);
    add_rows(lines, "slice_latency_s", results.latency, &Writer::latency);
    add_rows(lines, "slice_endpoints", results.endpoints, &Writer::endpoint);
    add_rows(lines, "slice_cross_zone", results.cross_zone, &Writer::crossing);
  }

 private:
  static void add(JsonLines& lines, const char* key, const Json& value) { lines.add(key, value.text()); }
  template <class Rows, class Row>
  void add_rows(JsonLines& lines, const char* key, const Rows& all, Json (Writer::*row_of)(const Row&) const) const {
    lines.begin_array(key);
    for (const Row& row : all) {
      lines.add_row((this->*row_of)(row).text());
    }
    lines.end_array();
  }

  [[nodiscard]] Json text(const std::string& row) const { return row; }

  // An event that proxies detected by themselves; sorted by time.
  struct HostEvent {
    run::Nanoseconds at;
    config::ClientEntryIndex client;
    config::ServiceIndex service;
    config::EndpointIndex endpoint;
    const char* event;
  };

  [[nodiscard]] static std::vector<HostEvent> host_events(const run::Results& results) {
    std::vector<HostEvent> events;
    for (const run::Ejection& row : results.ejections) {
      events.push_back({row.at, row.client, row.cluster, row.endpoint, row.ejected ? "ejected" : "returned"});
    }
    for (const run::CheckedHealth& row : results.checked) {
      events.push_back({row.at, row.client, row.cluster, row.endpoint,
                        row.health == envoy::Health::healthy    ? "healthy"
                        : row.health == envoy::Health::degraded ? "degraded"
                                                                : "unhealthy"});
    }
    numeric::stable_sort(events, [](const auto& one, const auto& other) { return one.at < other.at; });
    return events;
  }

  [[nodiscard]] Json host_event(const HostEvent& row) const {
    return {{"at_s", config::seconds(row.at)},
            {"client", client(row)},
            {"service", service(row)},
            {"endpoint", scenario_.endpoints[row.endpoint.value].id},
            {"event", row.event}};
  }

  template <class Row>
  [[nodiscard]] std::string client(const Row& row) const {
    return grouped_.by.has(Dimension::client) ? scenario_.clients[row.client.value].name : "";
  }

  template <class Row>
  [[nodiscard]] std::string service(const Row& row) const {
    return scenario_.services[row.service.value].name;
  }

  [[nodiscard]] Json egress_design(const scenario::EgressDesignRow& row) const {
    Json zones = Json::object();
    for (const auto& [zone, share] : row.zones) {
      zones.add(zone, share);
    }
    return {{"client", row.client},
            {"service", service(row)},
            {"design", name_of(row.design)},
            {"clusters_at_egress", row.clusters.at_egress},
            {"clusters_at_client", row.clusters.at_client},
            {"zones", zones}};
  }

  // Writes an epoch. If the client splits its requests between services, includes this service's fraction; if some
  // reach no host, theirs.
  [[nodiscard]] Json epoch(const run::Epoch& row) const {
    Json json = {{"index", row.index},
                 {"client", client(row)},
                 {"service", service(row)},
                 {"start_s", config::seconds(row.start)},
                 {"end_s", config::seconds(row.end)},
                 {"states", row.states},
                 {"label", row.health->label}};
    if (const auto part = parts_.of(row.client, row.service)) {
      json.add("part_of_client", part->expected);
    }
    if (const auto rest = without_.of(row)) {
      json.add("no_host", rest->exact ? Json(*rest->exact) : Json(nullptr));
    }
    return json;
  }

  [[nodiscard]] Json share(const run::Share& row) const { return shares_.json(row); }

  [[nodiscard]] Json outcomes(const run::Outcomes& row) const {
    Json json = {{"epoch", row.epoch}, {"client", client(row)}, {"service", service(row)}};
    json.add_members_of(outcome_counts().json(row));
    return json;
  }

  [[nodiscard]] Json latency(const run::Latency& row) const {
    Json json = {{"epoch", row.epoch}, {"client", client(row)}, {"service", service(row)}, {"answers", row.answers}};
    json.add_members_of(latency_quantiles().json(row));
    return json;
  }

  [[nodiscard]] Json whole_latency(const run::WholeLatency& row, const char* of,
                                   const run::LatencyQuantiles& quantiles) const {
    const auto known = [&](double value) { return quantiles.answers > 0 ? Json(value) : Json(nullptr); };
    return {{"client", scenario_.clients[row.client.value].name},
            {"service", service(row)},
            {"of", of},
            {"answers", quantiles.answers},
            {"p50", known(quantiles.p50)},
            {"p90", known(quantiles.p90)},
            {"p95", known(quantiles.p95)},
            {"p99", known(quantiles.p99)},
            {"p99_9", known(quantiles.p999)},
            {"max", known(quantiles.max)}};
  }

  [[nodiscard]] Json endpoint(const run::EndpointLoad& row) const { return endpoints_.json(row); }
  [[nodiscard]] Json sample(const run::EndpointLoad& row) const { return samples_.json(row); }
  [[nodiscard]] Json crossing(const run::CrossZone& row) const { return crossings_.json(row); }

  const Report& report_;
  const scenario::Scenario& scenario_;
  const Grouped& grouped_;
  ClientParts parts_;
  WithoutHost without_;
  EpochFinder epochs_;
  Record<run::Share> shares_;
  Record<run::EndpointLoad> endpoints_;
  Record<run::EndpointLoad> samples_;
  Record<run::CrossZone> crossings_;
};

}  // namespace

void write_results_json(const Report& report, const Dimensions& by, const Sink& sink) {
  const Grouped grouped = group_by(report.scenario, report.results, by);
  JsonLines lines(sink);
  Writer(report, grouped).write(lines, tables_json(documented_tables(report.scenario, report.results)));
}

}  // namespace spillway::reports
