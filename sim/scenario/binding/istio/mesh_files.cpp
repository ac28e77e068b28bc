#include "sim/scenario/binding/istio/mesh_files.hpp"

#include <string_view>
#include <utility>

#include "models/documents/node_edit.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/istio/messages/document.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/named_documents.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::scenario::istio_binding {

namespace {

using documents::Kind;
using documents::Node;

std::string text_under(const Node& node, std::string_view key) {
  const documents::Member* const member = node.find(key);
  return member == nullptr ? std::string() : member->value.text;
}

bool looks_like_scenario(const Node& root) {
  return root.kind == Kind::object && root.find("kind") == nullptr && root.find("apiVersion") == nullptr &&
         (root.find("resources") != nullptr || root.find("clients") != nullptr);
}

class MeshFileReader {
 public:
  explicit MeshFileReader(MeshFiles& files) : files_(files) {}

  void read(const std::string& path) {
    const auto file = static_cast<std::uint32_t>(files_.sources.size());
    auto source = documents::load_source(path, file, files_.diagnostics);
    files_.sources.push_back(source ? *std::move(source) : SourceFile{path, ""});
    if (!files_.sources.back().text.empty()) {
      if (auto tree = documents::parse_documents(files_.sources, file, files_.diagnostics)) {
        files_.trees.push_back(std::make_unique<Node>(*std::move(tree)));
        Node& root = *files_.trees.back();
        if (root.items.size() == 1 && looks_like_scenario(root.items.front())) {
          read_scenario(path, root.items.front());
        } else {
          documents::drop_nulls(root);
          add(root);
        }
      }
    }
  }

 private:
  // Reads a scenario: its documents, including those of files that it names, and the proxies of its clients.
  void read_scenario(const std::string& path, Node& root) {
    if (files_.sources.size() > 1) {
      files_.diagnostics.error("SP795", root.span, "a scenario among files of documents",
                               "a scenario contains or names all documents, and is read alone");
      return;
    }
    take_named_documents(root, files_.sources, files_.diagnostics);
    for (const char* const key : {"policies", "resources"}) {
      if (const documents::Member* const list = root.find(key)) {
        add(list->value);
      }
    }
    const Reading reading = read_scenario_file(path);
    if (!reading.scenario) {
      files_.sources = reading.sources;
      files_.diagnostics = reading.diagnostics;
      return;
    }
    const Scenario& scenario = *reading.scenario;
    files_.profile = scenario.profile.istio;
    for (const ClientEntry& client : scenario.clients) {
      files_.clients.try_emplace(client.name,
                                 istio::Proxy{.name_space = namespace_of(root, client.name),
                                              .locality = locality_of(scenario, client.node),
                                              .labels = client.tags,
                                              .node = scenario.nodes[client.node.value].name,
                                              .network = istio::value_of(client.tags, istio::network_label)});
    }
  }

  static std::string namespace_of(const Node& root, const std::string& client) {
    const documents::Member* const clients = root.find("clients");
    for (std::size_t i = 0; clients != nullptr && i < clients->value.items.size(); ++i) {
      const Node& written = clients->value.items[i];
      if (text_under(written, "name") == client && written.find("namespace") != nullptr) {
        return text_under(written, "namespace");
      }
    }
    return "default";
  }

  void add(const Node& node) {
    if (node.kind == Kind::array) {
      for (const Node& item : node.items) {
        add(item);
      }
    } else if (const documents::Member* const items = node.find("items");
               items != nullptr && text_under(node, "kind").ends_with("List")) {
      add_items(node, items->value);
    } else if (node.kind == Kind::object && messages::is_istio_document(node)) {
      messages::IstioDocument document;
      Diagnostics problems;
      if (messages::IstioDocumentShape{}.read(node, document, "a document", problems)) {
        istio::add_document(document, istio::default_cluster, files_.documents);
      }
      for (Diagnostic& problem : problems) {
        // A mesh contains much that does not affect a sidecar's requests; ignored kinds are reported as warnings.
        if (problem.code == "SP651") {
          problem.severity = Severity::warning;
        }
        if (problem.code != "SP650") {
          files_.diagnostics.push_back(std::move(problem));
        }
      }
    }
  }

  // Adds the items of a list. In a PodList, as the API server returns it, items may lack their kind.
  void add_items(const Node& list, const Node& items) {
    const std::string kind = text_under(list, "kind");
    for (const Node& item : items.items) {
      if (kind == "List" || item.kind != Kind::object || item.find("kind") != nullptr) {
        add(item);
        continue;
      }
      files_.trees.push_back(std::make_unique<Node>(item));
      Node& typed = *files_.trees.back();
      documents::Member own = *list.find("kind");
      own.value.text.resize(kind.size() - std::string("List").size());
      typed.members.push_back(std::move(own));
      if (const documents::Member* const version = list.find("apiVersion");
          version != nullptr && typed.find("apiVersion") == nullptr) {
        typed.members.push_back(*version);
      }
      add(typed);
    }
  }

  MeshFiles& files_;
};

}  // namespace

MeshFiles read_mesh_files(const std::vector<std::string>& paths, std::optional<config::IstioProfile> profile) {
  MeshFiles files;
  for (const std::string& path : paths) {
    MeshFileReader(files).read(path);
  }
  const auto release = profile ? profile : files.profile;
  files.documents.value.switches =
      istio::Switches::of(release == config::IstioProfile::release_1_30, files.documents.value.environment);
  istio::report_admission(files.documents, files.diagnostics);
  for (const istio::EnvoyFilter& filter : files.documents.filters) {
    files.diagnostics.warning("SP651", filter.origin.where, "a document of kind `EnvoyFilter` is not supported",
                              "what it changes is a difference here");
  }
  if (files.documents.empty() && !has_errors(files.diagnostics)) {
    files.diagnostics.error("SP796", Span{}, "no documents of a mesh",
                            "neither Istio's nor Kubernetes' documents are in these files");
  }
  sort_by_position(files.diagnostics);
  files.registry = istio::make_registry(files.documents.value);
  return files;
}

}  // namespace spillway::scenario::istio_binding
