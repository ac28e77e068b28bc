// A mesh as files of Istio's and Kubernetes' documents hold it, without a scenario around them: what `kubectl get -o
// yaml` prints, files of several documents, lists; or a scenario that holds or names them.
//
//   const MeshFiles mesh = read_mesh_files({"mesh.yaml", "rules.yaml"});
//   mesh.documents.value.destination_rules;
//   mesh.client("frontend");   // of a scenario
//
// Documents of other kinds are ignored. What is wrong, and what istiod's admission refuses, is in `diagnostics`.
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
  // Of a scenario: the proxies of its clients, as they report themselves, by name.
  std::map<std::string, istio::Proxy> clients = {};
  std::optional<config::IstioProfile> profile = {};    // that a scenario names
  std::vector<std::unique_ptr<documents::Node>> trees;  // which the documents point into
};

// `profile`: instead of what a scenario names or the newest release.
[[nodiscard]] MeshFiles read_mesh_files(const std::vector<std::string>& paths,
                                        std::optional<config::IstioProfile> profile = {});

}  // namespace spillway::scenario::istio_binding
