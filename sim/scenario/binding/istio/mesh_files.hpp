// A mesh read from files of Istio and Kubernetes documents without a scenario: output of `kubectl get -o yaml`, files
// of several documents, lists. Also accepts a scenario that contains or names them.
//
//   const MeshFiles mesh = read_mesh_files({"mesh.yaml", "rules.yaml"});
//   mesh.documents.value.destination_rules;
//   mesh.client("frontend");   // of a scenario
//
// Documents of other kinds are ignored. Errors, and refusals by istiod's admission, are in `diagnostics`.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"
#include "models/documents/source.hpp"
#include "models/istio/documents/documents.hpp"
#include "models/istio/proxy.hpp"
#include "models/istio/registry.hpp"

namespace spillway::scenario::istio_binding {

struct MeshFiles {
  Sources sources = {};
  Diagnostics diagnostics = {};
  istio::LocatedDocuments documents = {};
  istio::Registry registry = {};
  // The proxies of a scenario's clients, as they report themselves, by name.
  std::map<std::string, istio::Proxy> clients = {};
  std::optional<config::IstioProfile> profile = {};     // named by a scenario
  std::vector<std::unique_ptr<documents::Node>> trees;  // the documents point into these
};

// Reads the files. `profile` overrides that of a scenario; the default is the newest release.
[[nodiscard]] MeshFiles read_mesh_files(const std::vector<std::string>& paths,
                                        std::optional<config::IstioProfile> profile = {});

}  // namespace spillway::scenario::istio_binding
