#include "models/istio/ambient.hpp"

#include <algorithm>
#include <vector>

namespace spillway::istio {

namespace {

constexpr const char* inject_label = "sidecar.istio.io/inject";
constexpr const char* injection_label = "istio-injection";

}  // namespace

std::string ambient_by(const Documents& documents, const std::string& name_space, const Labels& labels) {
  const std::string& own = value_of(labels, dataplane_label);
  if (value_of(labels, inject_label) == "true" || (!own.empty() && own != ambient_mode)) {
    return "";
  }
  if (own == ambient_mode) {
    return "its label";
  }
  const std::vector<Namespace>& known = documents.clusters.front().namespaces;
  const auto object =
      std::find_if(known.begin(), known.end(), [&](const Namespace& one) { return one.meta.name == name_space; });
  const bool is_ambient = object != known.end() && value_of(object->meta.labels, dataplane_label) == ambient_mode &&
                          value_of(object->meta.labels, injection_label) != "enabled";
  return is_ambient ? "namespace " + name_space : "";
}

}  // namespace spillway::istio
