#include <vector>

#include "models/documents/json_writer.hpp"
#include "models/istio/proxy.hpp"
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
        epochs_(epoch_record(scenario_, grouped.by)) {}

  void write(JsonLines& lines, const std::vector<Json>& tables) const {
    const run::Results& results = grouped_.results;
    add(lines, "schema_version", 1);
    add(lines, "scenario", scenario_.name);
    add(lines, "profile", profile_json(scenario_.profile));
    add(lines, "seed", results.seed);
    add(lines, "mode", name_of(results.mode));
    add(lines, "replications", results.replications);
    add(lines, "unseed", results.result_fingerprint.empty() ? Json(nullptr) : Json(results.result_fingerprint));
    write_tables(lines, "");
    lines.begin_array("happenings");
    for (const std::string& logged_event : events_json(report_)) {
      lines.add_row(logged_event);
    }
    lines.end_array();
    if (report_.sampled || !results.samples.empty()) {
      add_rows(lines, "samples", results.samples, load_record(scenario_, results.mode, "sample"));
    }
    if (!results.ejections.empty() || !results.checked.empty()) {
      add_rows(lines, "host_events", host_events(results), host_event_record(scenario_, grouped_.by));
    }
    if (scenario_.cla_cache || !scenario_.passed.empty()) {
      add_rows(lines, "assumptions", scenario_.assumptions, [](const std::string& text) { return Json(text); });
    }
    if (const auto& cache = scenario_.cla_cache) {
      add(lines, "cla_cache", {{"hits", cache->hits}, {"misses", cache->misses}});
    }
    if (!scenario_.egress_designs.empty()) {
      add_rows(lines, "egress_designs", scenario_.egress_designs, [&](const auto& row) { return egress_design(row); });
    }
    if (report_.slices != nullptr) {
      const Grouped slices = group_by(scenario_, *report_.slices, grouped_.by);
      Writer(report_, slices).write_tables(lines, "slice_");
    }
    lines.begin_array("tables");
    for (const Json& table : tables) {
      lines.add_row(table.text());
    }
    lines.end_array();
    lines.end();
  }

 private:
  // Writes the rows by epoch; or, with a prefix, of a run that is cut at more times: `epoch` is the number of the
  // slice.
  void write_tables(JsonLines& lines, const std::string& prefix) const {
    const run::Results& results = grouped_.results;
    const Dimensions& by = grouped_.by;
    const EpochFinder finder(results);
    add_rows(lines, prefix.empty() ? "epochs" : "slices", results.epochs, [&](const auto& row) { return epoch(row); });
    add_rows(lines, prefix + "shares", results.shares, share_record(scenario_, results, by, finder));
    add_rows(lines, prefix + "outcomes", results.outcomes, outcome_record(scenario_, by));
    add_rows(lines, prefix + "latency_s", results.latency, latency_record(scenario_, by));
    if (prefix.empty()) {
      add_rows(lines, "whole_latency_s", whole_quantiles(results), whole_latency_record(scenario_));
    }
    add_rows(lines, prefix + "endpoints", results.endpoints, load_record(scenario_, results.mode, "epoch"));
    add_rows(lines, prefix + "cross_zone", results.cross_zone, crossing_record(scenario_, results, by, finder));
  }

  static void add(JsonLines& lines, const char* key, const Json& value) { lines.add(key, value.text()); }
  template <class Rows, class JsonOf>
  static void add_rows(JsonLines& lines, const std::string& key, const Rows& all, const JsonOf& json_of) {
    lines.begin_array(key);
    for (const auto& row : all) {
      if constexpr (std::is_invocable_v<JsonOf, decltype(row)>) {
        lines.add_row(json_of(row).text());
      } else {
        lines.add_row(json_of.json(row).text());
      }
    }
    lines.end_array();
  }

  [[nodiscard]] Json egress_design(const scenario::EgressDesignRow& row) const {
    Json zones = Json::object();
    for (const auto& [zone, share] : row.zones) {
      zones.add(zone, share);
    }
    return {{"client", row.client},
            {"service", scenario_.services[row.service.value].name},
            {"design", name_of(row.design)},
            {"clusters_at_egress", row.clusters.at_egress},
            {"clusters_at_client", row.clusters.at_client},
            {"zones", zones}};
  }

  // Writes an epoch. If the client splits its requests between services, includes this service's fraction; if some
  // reach no host, theirs.
  [[nodiscard]] Json epoch(const run::Epoch& row) const {
    Json json = epochs_.json(row);
    if (const auto part = parts_.of(row.client, row.service)) {
      json.add("part_of_client", part->expected);
    }
    if (const auto rest = without_.of(row)) {
      json.add("no_host", rest->exact ? Json(*rest->exact) : Json(nullptr));
    }
    return json;
  }

  const Report& report_;
  const scenario::Scenario& scenario_;
  const Grouped& grouped_;
  ClientParts parts_;
  WithoutHost without_;
  Record<run::Epoch> epochs_;
};

Json type_of(const char* name, bool nullable = false) {
  return RecordType{name, nullable}.schema();
}

Json array_of(const Json& items) {
  return {{"type", "array"}, {"items", items}};
}

Json object_of(std::initializer_list<documents::JsonMember> members) {
  Json required =
      json_array(members, [&](const documents::JsonMember& member) { return Json(std::string(member.key)); });
  return {{"type", "object"}, {"properties", Json(members)}, {"required", required}};
}

// Returns a schema with one of the names that the program writes.
template <class Names>
Json one_of(const Names& names) {
  Json all = json_array(names, [&](const auto& name) { return Json(name); });
  return {{"type", "string"}, {"enum", all}};
}

Json table_schema() {
  // Percentages, or booleans for panic.
  const Json figures = array_of({{"type", Json::array({"boolean", "number", "null"})}});
  Json row =
      object_of({{"epoch", type_of("integer", true)},
                 {"documented", figures},
                 {"exact", figures},
                 {"simulated", figures},
                 {"differences", array_of(object_of({{"column", type_of("string")}, {"reason", type_of("string")}}))}});
  return object_of({{"title", type_of("string")}, {"columns", array_of(type_of("string"))}, {"rows", array_of(row)}});
}

// Returns the rows that write_tables() writes.
Json rows_schema(const std::string& prefix) {
  const scenario::Scenario scenario{};
  const run::Results results{};
  const EpochFinder finder(results);
  const Dimensions by = Dimensions::everything();
  run::Results at_rest{};
  at_rest.at_rest = true;
  Json properties = Json::object();
  const auto add = [&](const std::string& key, const Json& row) { properties.add(key, array_of(row)); };
  add(prefix.empty() ? "epochs" : "slices",
      epoch_record(scenario, by).schema({{"part_of_client", type_of("number")}, {"no_host", type_of("number", true)}}));
  add(prefix + "shares", {{"anyOf", Json::array({share_record(scenario, results, by, finder).schema(),
                                                 share_record(scenario, at_rest, by, finder).schema()})}});
  add(prefix + "outcomes", outcome_record(scenario, by).schema());
  add(prefix + "latency_s", latency_record(scenario, by).schema());
  if (prefix.empty()) {
    add("whole_latency_s", whole_latency_record(scenario).schema());
  }
  add(prefix + "endpoints", load_record(scenario, results.mode, "epoch").schema());
  add(prefix + "cross_zone", crossing_record(scenario, results, by, finder).schema());
  return properties;
}

}  // namespace

void write_results_json(const Report& report, const Dimensions& by, const Sink& sink) {
  const Grouped grouped = group_by(report.scenario, report.results, by);
  JsonLines lines(sink);
  Writer(report, grouped).write(lines, tables_json(documented_tables(report.scenario, report.results)));
}

std::string results_schema() {
  const scenario::Scenario scenario{};
  const Json text = type_of("string");
  const Json count = type_of("integer");
  Json properties = {{"schema_version", {{"const", 1}, {"description", "only ever gains keys"}}},
                     {"scenario", text},
                     {"profile", object_of({{"envoy", text}, {"kuma", text}, {"istio", text}})},
                     {"seed", count},
                     {"mode", one_of(std::array{name_of(scenario::Mode::exact), name_of(scenario::Mode::requests),
                                                name_of(scenario::Mode::platform)})},
                     {"replications", count},
                     {"unseed", type_of("string", true)}};
  properties.add_members_of(rows_schema(""));
  properties.add("happenings", array_of(event_schema(scenario)));
  properties.add("samples", array_of(load_record(scenario, scenario::Mode::exact, "sample").schema()));
  properties.add("host_events", array_of(host_event_record(scenario, Dimensions::everything()).schema()));
  properties.add("assumed", array_of(text));
  properties.add("assumptions", array_of(text));
  properties.add("cla_cache", object_of({{"hits", count}, {"misses", count}}));
  properties.add("egress_designs",
                 array_of(object_of({{"client", text},
                                     {"service", text},
                                     {"design", text},
                                     {"clusters_at_egress", count},
                                     {"clusters_at_client", count},
                                     {"zones", {{"type", "object"}, {"additionalProperties", type_of("number")}}}})));
  properties.add_members_of(rows_schema("slice_"));
  properties.add("tables", array_of(table_schema()));
  properties.add("control_plane",
                 array_of({{"type", "object"}, {"required", Json::array({"name", "readings", "samples"})}}));
  const Json schema = {
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"$id", "https://spillway.invalid/schema/results-1.json"},
      {"title", "Results of spillway run and share, -o json"},
      {"description", "docs/output.md describes the keys. Later versions add keys and take none away."},
      {"type", "object"},
      {"properties", properties},
      {"required", Json::array({"schema_version", "scenario", "profile", "seed"})},
      {"anyOf", Json::array({{{"required", Json::array({"mode", "replications", "unseed", "epochs", "shares",
                                                        "outcomes", "latency_s", "tables"})}},
                             {{"required", Json::array({"control_plane"})}}})}};
  return documents::indented(schema, 2) + "\n";
}

}  // namespace spillway::reports
