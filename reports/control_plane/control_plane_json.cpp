#include <utility>

#include "models/config/seconds.hpp"
#include "models/documents/json_writer.hpp"
#include "reports/control_plane/control_plane_report.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"
#include "sim/control_plane/results.hpp"
#include "sim/scenario/control_plane.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

using Ordered = documents::JsonText;

Ordered latency_object(const scenario::LatencyQuantiles& latency) {
  const auto number = [](const std::optional<double>& value) { return value ? Ordered(*value) : Ordered(nullptr); };
  return {{"p50", number(latency.p50)}, {"p90", number(latency.p90)}, {"p99", number(latency.p99)}};
}

Ordered sample_object(const control_plane::Sample& sample) {
  return {{"at_s", config::seconds(sample.at)},
          {"observations", sample.observations},
          {"latency_s", latency_object(sample.latency)}};
}

Ordered readings_array(const scenario::ControlPlaneSetting& setting, const control_plane::SettingResults& results) {
  Ordered rows = Ordered::array();
  for (std::size_t row = 0; row < setting.readings.size(); ++row) {
    Ordered object = sample_object(results.readings[row]);
    object.add("document_s", latency_object(setting.readings[row].latency));
    rows.push_back(std::move(object));
  }
  return rows;
}

Ordered differences_array(const scenario::ControlPlaneSetting& setting) {
  Ordered rows = Ordered::array();
  for (const scenario::KnownDifference& difference : setting.differences) {
    rows.push_back({{"at_s", config::seconds(setting.readings[difference.reading].at)},
                    {"document_s", latency_object(difference.documented)},
                    {"ours_s", latency_object(difference.ours)},
                    {"reason", difference.reason}});
  }
  return rows;
}

Ordered errors_object(const scenario::ControlPlaneSetting& setting, const control_plane::SettingResults& results) {
  if (setting.readings.empty()) {
    return nullptr;
  }
  const ReadingErrors errors = errors_of(setting, results);
  return {{"readings", errors.readings},
          {"precision_s", setting.precision},
          {"mean_s", errors.mean},
          {"largest_s", errors.largest},
          {"largest_at_s", config::seconds(errors.largest_at)},
          {"within_precision", errors.within_precision}};
}

Ordered hazard_object(const control_plane::Hazard& hazard) {
  return {{"proxies", hazard.proxies},
          {"proxies_at_end", hazard.proxies_at_end},
          {"most_at_once", hazard.most_at_once},
          {"periods", hazard.periods},
          {"together_s", config::seconds(hazard.together)},
          {"longest_s", config::seconds(hazard.longest)}};
}

Ordered setting_object(const scenario::ControlPlane& plane, std::size_t position,
                       const control_plane::SettingResults& results) {
  const scenario::ControlPlaneSetting& setting = plane.settings[position];
  const control_plane::Counts& counts = results.counts;
  Ordered samples = Ordered::array();
  for (const control_plane::Sample& sample : results.samples) {
    samples.push_back(sample_object(sample));
  }
  Ordered ratios = Ordered::array();
  for (std::size_t row = 0; row < setting.ratios.size(); ++row) {
    ratios.push_back({{"to", plane.settings[setting.ratios[row].other].name},
                      {"at_s", config::seconds(setting.ratios[row].at)},
                      {"to_at_s", config::seconds(setting.ratios[row].other_at)},
                      {"document", latency_object(setting.ratios[row].times)},
                      {"ours", latency_object(results.ratios[row])}});
  }
  return {{"name", setting.name},
          {"cla_cache", name_of(setting.sharing)},
          {"cores", setting.cores},
          {"other_work", setting.other_work},
          {"time_slice_s", config::seconds(setting.time_slice)},
          {"speed", setting.speed},
          {"services", setting.services},
          {"instances", setting.instances},
          {"reachable_services", setting.reachable_services},
          {"refresh_interval_s", config::seconds(setting.refresh_interval)},
          {"cache_expiration_s", config::seconds(setting.cache_expiration)},
          {"proxies", counts.proxies},
          {"mesh_changes", counts.mesh_changes},
          {"mesh_contexts", counts.mesh_contexts},
          {"generations", counts.generations},
          {"changed", counts.changed},
          {"assignments", {{"asked", counts.asked}, {"hits", counts.asked - counts.made}, {"misses", counts.made}}},
          {"busy", results.busy},
          {"settled_s", config::seconds(results.settled)},
          {"joined", sample_object(results.joined)},
          {"wrong_assignments", hazard_object(results.hazard)},
          {"errors", errors_object(setting, results)},
          {"readings", readings_array(setting, results)},
          {"known_differences", differences_array(setting)},
          {"ratios", std::move(ratios)},
          {"samples", std::move(samples)}};
}

}  // namespace

std::string control_plane_json(const scenario::Scenario& scenario, const control_plane::Results& results) {
  Ordered settings = Ordered::array();
  for (std::size_t position = 0; position < results.settings.size(); ++position) {
    settings.push_back(setting_object(*scenario.control_plane, position, results.settings[position]));
  }
  const Ordered root = {{"schema_version", 1},
                        {"scenario", scenario.name},
                        {"profile", profile_json(scenario.profile)},
                        {"seed", scenario.seed},
                        {"control_plane", std::move(settings)}};
  return json_lines(root.text());
}

}  // namespace spillway::reports
