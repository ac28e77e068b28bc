
#include "models/documents/json_writer.hpp"
#include "reports/compare/compare_report.hpp"
#include "reports/text/json_text.hpp"
#include "sim/compare/comparison.hpp"

namespace spillway::reports {
namespace {

using documents::JsonText;

JsonText observed_share(std::uint64_t requests, std::uint64_t all) {
  return all == 0 ? JsonText(nullptr) : JsonText(static_cast<double>(requests) / static_cast<double>(all));
}

JsonText host_json(const compare::HostRow& row, std::uint64_t all) {
  return {{"cluster", row.cluster},
          {"host", row.address},
          {"region", row.locality.region},
          {"zone", row.locality.zone},
          {"sub_zone", row.locality.sub_zone},
          {"priority", row.priority ? JsonText(row.priority->value) : JsonText(nullptr)},
          {"predicted", row.predicted},
          {"at_rest", row.at_rest},
          {"observed", observed_share(row.requests, all)},
          {"requests", row.requests},
          {"connect_failures", row.connect_failures},
          {"health_before", row.health_before},
          {"health_after", row.health_after}};
}

JsonText cluster_json(const compare::ClusterComparison& cluster) {
  JsonText json = {{"cluster", cluster.name},      {"verdict", fit_word(cluster.verdict)},
                   {"agrees", cluster.agrees()},   {"why", cluster.why},
                   {"requests", cluster.requests}, {"dispersion", cluster.dispersion}};
  JsonText tests = JsonText::array();
  for (const compare::FitTest& test : cluster.tests) {
    tests.push_back({{"by", name_of(test.level)}, {"cells", test.cells}, {"chance", test.chance}});
  }
  json.add("tests", tests);
  JsonText differences = JsonText::array();
  for (const compare::Difference& one : cluster.differences) {
    differences.push_back(
        {{"host", one.address}, {"what", one.what}, {"configured", one.configured}, {"held", one.held}});
  }
  json.add("differences", differences);
  JsonText reasons = JsonText::array();
  for (const compare::Reason& reason : cluster.reasons) {
    reasons.push_back({{"reason", compare::name_of(reason.kind)},
                       {"explains", reason.explains},
                       {"seen", reason.seen},
                       {"chance", reason.chance},
                       {"text", reason.text}});
  }
  json.add("reasons", reasons);
  json.add("notes", cluster.notes);
  JsonText groups = JsonText::array();
  for (const compare::GroupRow& row : cluster.groups) {
    groups.push_back({{"by", name_of(row.level)},
                      {"name", row.name},
                      {"predicted", row.predicted},
                      {"observed", observed_share(row.requests, cluster.requests)},
                      {"requests", row.requests}});
  }
  json.add("groups", groups);
  JsonText hosts = JsonText::array();
  for (const compare::HostRow& row : cluster.hosts) {
    hosts.push_back(host_json(row, cluster.requests));
  }
  json.add("hosts", hosts);
  return json;
}

}  // namespace

std::string comparison_json(const compare::Comparison& comparison) {
  JsonText json = {{"schema_version", 1},           {"agrees", comparison.agrees()},
                   {"tests", comparison.tests},     {"false_alarm", compare::false_alarm},
                   {"unknown", comparison.unknown}, {"idle", comparison.idle},
                   {"notes", comparison.notes}};
  json.add("unassigned_requests", {{"of_no_cluster", comparison.unassigned.of_no_cluster},
                                   {"of_several_clusters", comparison.unassigned.of_several},
                                   {"in_log", comparison.unassigned.in_log}});
  JsonText clusters = JsonText::array();
  for (const compare::ClusterComparison& cluster : comparison.clusters) {
    clusters.push_back(cluster_json(cluster));
  }
  json.add("clusters", clusters);
  return json_lines(json.text());
}

}  // namespace spillway::reports
