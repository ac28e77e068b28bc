
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
  const auto test = [](const compare::FitTest& one) -> JsonText {
    return {{"by", name_of(one.level)}, {"cells", one.cells}, {"chance", one.chance}};
  };
  const auto difference = [](const compare::Difference& one) -> JsonText {
    return {{"host", one.address}, {"what", one.what}, {"configured", one.configured}, {"held", one.held}};
  };
  const auto reason = [](const compare::Reason& one) -> JsonText {
    return {{"reason", compare::name_of(one.kind)},
            {"explains", one.explains},
            {"seen", one.seen},
            {"chance", one.chance},
            {"text", one.text}};
  };
  const auto group = [&](const compare::GroupRow& one) -> JsonText {
    return {{"by", name_of(one.level)},
            {"name", one.name},
            {"predicted", one.predicted},
            {"observed", observed_share(one.requests, cluster.requests)},
            {"requests", one.requests}};
  };
  const auto host = [&](const compare::HostRow& one) { return host_json(one, cluster.requests); };
  return {{"cluster", cluster.name},
          {"verdict", fit_word(cluster.verdict)},
          {"agrees", cluster.agrees()},
          {"why", cluster.why},
          {"requests", cluster.requests},
          {"dispersion", cluster.dispersion},
          {"tests", json_array(cluster.tests, test)},
          {"differences", json_array(cluster.differences, difference)},
          {"reasons", json_array(cluster.reasons, reason)},
          {"notes", cluster.notes},
          {"groups", json_array(cluster.groups, group)},
          {"hosts", json_array(cluster.hosts, host)}};
}

}  // namespace

std::string comparison_json(const compare::Comparison& comparison) {
  const compare::UnassignedRequests& left = comparison.unassigned;
  const JsonText json = {
      {"schema_version", 1},
      {"agrees", comparison.is_unknown() ? JsonText() : JsonText(comparison.agrees())},
      {"tests", comparison.tests},
      {"false_alarm", compare::false_alarm},
      {"unknown", comparison.unknown},
      {"idle", comparison.idle},
      {"notes", comparison.notes},
      {"unassigned_requests",
       {{"of_no_cluster", left.of_no_cluster}, {"of_several_clusters", left.of_several}, {"in_log", left.in_log}}},
      {"clusters", json_array(comparison.clusters, cluster_json)}};
  return json_lines(json.text());
}

}  // namespace spillway::reports
