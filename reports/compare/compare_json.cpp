#include <nlohmann/json.hpp>

#include "reports/compare/compare_report.hpp"
#include "reports/text/json_text.hpp"
#include "sim/compare/comparison.hpp"

namespace spillway::reports {
namespace {

using nlohmann::ordered_json;

template <class Value>
ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json observed_share(std::uint64_t requests, std::uint64_t all) {
  return all == 0 ? ordered_json(nullptr) : ordered_json(static_cast<double>(requests) / static_cast<double>(all));
}

ordered_json host_json(const compare::HostRow& row, std::uint64_t all) {
  return {{"cluster", row.cluster},
          {"host", row.address},
          {"region", row.locality.region},
          {"zone", row.locality.zone},
          {"sub_zone", row.locality.sub_zone},
          {"priority", row.priority ? ordered_json(row.priority->value) : ordered_json(nullptr)},
          {"predicted", or_null(row.predicted)},
          {"at_rest", row.at_rest},
          {"observed", observed_share(row.requests, all)},
          {"requests", row.requests},
          {"connect_failures", row.connect_failures},
          {"health_before", row.health_before},
          {"health_after", row.health_after}};
}

ordered_json cluster_json(const compare::ClusterComparison& cluster) {
  ordered_json json = {{"cluster", cluster.name},      {"verdict", name_of(cluster.verdict)},
                       {"agrees", cluster.agrees()},   {"why", cluster.why},
                       {"requests", cluster.requests}, {"dispersion", cluster.dispersion}};
  json["tests"] = ordered_json::array();
  for (const compare::FitTest& test : cluster.tests) {
    json["tests"].push_back({{"by", name_of(test.level)}, {"cells", test.cells}, {"chance", test.chance}});
  }
  json["differences"] = ordered_json::array();
  for (const compare::Difference& one : cluster.differences) {
    json["differences"].push_back(
        {{"host", one.address}, {"what", one.what}, {"configured", one.configured}, {"held", one.held}});
  }
  json["reasons"] = ordered_json::array();
  for (const compare::Reason& reason : cluster.reasons) {
    json["reasons"].push_back({{"reason", compare::name_of(reason.kind)},
                               {"explains", reason.explains},
                               {"seen", reason.seen},
                               {"chance", reason.chance},
                               {"text", reason.text}});
  }
  json["notes"] = cluster.notes;
  json["groups"] = ordered_json::array();
  for (const compare::GroupRow& row : cluster.groups) {
    json["groups"].push_back({{"by", name_of(row.level)},
                              {"name", row.name},
                              {"predicted", or_null(row.predicted)},
                              {"observed", observed_share(row.requests, cluster.requests)},
                              {"requests", row.requests}});
  }
  json["hosts"] = ordered_json::array();
  for (const compare::HostRow& row : cluster.hosts) {
    json["hosts"].push_back(host_json(row, cluster.requests));
  }
  return json;
}

}  // namespace

std::string comparison_json(const compare::Comparison& comparison) {
  ordered_json json = {{"schema_version", 1},           {"agrees", comparison.agrees()},
                       {"tests", comparison.tests},     {"false_alarm", compare::false_alarm},
                       {"unknown", comparison.unknown}, {"idle", comparison.idle},
                       {"notes", comparison.notes}};
  json["unassigned_requests"] = {{"of_no_cluster", comparison.unassigned.of_no_cluster},
                                 {"of_several_clusters", comparison.unassigned.of_several},
                                 {"in_log", comparison.unassigned.in_log}};
  json["clusters"] = ordered_json::array();
  for (const compare::ClusterComparison& cluster : comparison.clusters) {
    json["clusters"].push_back(cluster_json(cluster));
  }
  return json_lines(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

}  // namespace spillway::reports
