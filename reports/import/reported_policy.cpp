#include "reports/import/reported_policy.hpp"

#include <algorithm>
#include <utility>

namespace spillway::reports {
namespace {

using documents::JsonText;

bool is_of_istio(const std::string& name) {
  return name.starts_with("outbound|") || name.starts_with("outbound_.");
}

}  // namespace

JsonText cluster_of_assignment(const std::string& name, JsonText load_assignment) {
  const bool of_istio = is_of_istio(name);
  JsonText cluster = {{"name", name},
                      {"type", "STATIC"},
                      {"lb_policy", of_istio ? "LEAST_REQUEST" : "ROUND_ROBIN"},
                      {"load_assignment", std::move(load_assignment)}};
  if (of_istio) {
    cluster.add("common_lb_config", JsonText{{"healthy_panic_threshold", {{"value", 0}}}});
  }
  return cluster;
}

std::vector<std::string> policies_in_words(const std::vector<std::string>& clusters, const std::string& why) {
  std::vector<std::string> words;
  if (std::any_of(clusters.begin(), clusters.end(), is_of_istio)) {
    words.push_back(
        "LEAST_REQUEST and a panic threshold of 0 % of clusters of Istio, its defaults (1.30 without outlier "
        "detection: 50 %): " +
        why);
  }
  if (!std::all_of(clusters.begin(), clusters.end(), is_of_istio)) {
    words.push_back("ROUND_ROBIN and a panic threshold of 50 %, Envoy's defaults: " + why);
  }
  return words;
}

}  // namespace spillway::reports
