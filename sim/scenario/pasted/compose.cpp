#include "sim/scenario/pasted/compose.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "models/documents/node_json.hpp"
#include "models/documents/overlay.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/inputs.hpp"
#include "sim/scenario/pasted/assumed_zones.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"
#include "sim/scenario/pasted/pasted_text.hpp"

namespace spillway::scenario::pasted {
namespace {

constexpr std::size_t longest_to_look_at = std::size_t{64} << 20U;

// True for texts that may contain pasted documents. Other texts are not parsed twice.
bool may_hold_documents(const Sources& sources) {
  return std::any_of(sources.begin(), sources.end(), [](const SourceFile& source) {
    const std::string& text = source.text;
    const bool of_envoy =
        text.find("type.googleapis.com/envoy") != std::string::npos && text.find("apiVersion") == std::string::npos;
    if (text.size() > longest_to_look_at || of_envoy) {
      return false;
    }
    for (const char* const word : {"apiVersion",
                                   "kind:",
                                   "type: Mesh",
                                   "trafficPolicy",
                                   "localityLbSetting",
                                   "spec:",
                                   "localityAwareness",
                                   "outlierDetection",
                                   "type: Dataplane",
                                   "\"type\"",
                                   "type:",
                                   "http:",
                                   "hosts:",
                                   "distribute:",
                                   "failover:",
                                   "failoverPriority:",
                                   "loadBalancer:",
                                   "connectionPool:",
                                   "meshConfig:",
                                   "consecutive5xxErrors:"}) {
      if (text.find(word) != std::string::npos) {
        return true;
      }
    }
    return false;
  });
}

// Loads the files. Keeps standard input, which cannot be read again, for commands that read it in another form.
Sources load(const std::vector<std::string>& paths, Diagnostics& problems) {
  const bool of_input = std::find(paths.begin(), paths.end(), "-") != paths.end();
  if (of_input && documents::laid_over("-") == nullptr) {
    if (auto source = documents::load_source("-", 0, problems)) {
      documents::lay_over("-", std::move(source->text));
    }
  }
  Sources sources = proxy::load_inputs(paths, problems).sources;
  for (SourceFile& source : sources) {
    if (auto text = source.text.size() > longest_to_look_at ? std::nullopt : unfenced(source.text)) {
      source.text = *std::move(text);
      documents::lay_over(source.name == "<stdin>" ? "-" : source.name, source.text);
    }
  }
  return sources;
}

std::vector<std::string> ignored_lines(const PastedDocuments& documents) {
  std::vector<std::string> lines;
  std::string kinds;
  for (const auto& [kind, count] : documents.ignored) {
    kinds += kinds.empty() ? "" : ", ";
    kinds += count > 1 ? fmt::format("{} ({})", kind, count) : kind;
  }
  if (!kinds.empty()) {
    lines.push_back(kinds + ": no influence on where requests of sidecars go");
  }
  for (const auto& [kind, what] : documents.foreign) {
    lines.push_back(kind + ": " + what);
  }
  return lines;
}

// Returns the scenario. Documents that were changed are written in it, in place of the names of their files.
std::string written_text(const World& world, const PastedDocuments& documents) {
  std::string text = world.text;
  for (const PastedFile& file : documents.files) {
    const std::string line = "  - " + quoted_text(file.name) + "\n";
    const std::size_t at = text.find(line);
    if (at == std::string::npos || (file.as_written && file.name != "<stdin>")) {
      continue;
    }
    std::string inlined = "  # of " + file.name + "\n";
    for (const documents::Node& document : file.documents) {
      inlined += "  - " + documents::json_of(document).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    text.replace(at, line.size(), inlined);
  }
  return text;
}

std::string stem_of(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (name == "<stdin>" || name.empty()) {
    return "pasted";
  }
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

void lay_out(Composed& composed, const World& world, const PastedDocuments& documents, const std::string& path,
             const std::string& name) {
  composed.services = world.services;
  composed.gateway_routes = world.gateway_routes;
  composed.gateway_clients = world.gateway_clients;
  composed.problem = world.problem;
  composed.help = world.help;
  for (const auto* const list : {&documents.assumed, &world.assumed}) {
    composed.assumed.insert(composed.assumed.end(), list->begin(), list->end());
  }
  if (!composed.problem.empty()) {
    return;
  }
  for (const char* const kind : {"VirtualService", "HTTPRoute", "GRPCRoute", "MeshHTTPRoute", "MeshTCPRoute"}) {
    composed.splits = composed.splits || documents.by_kind.contains(kind);
  }
  composed.path = path;
  composed.is_kuma = documents.family == Family::kuma;
  const std::string head = "name: " + quoted_text(name) + "\n";
  composed.text = head + world.text;
  composed.without_rules = world.without_rules.empty() ? "" : head + world.without_rules;
  composed.written = head + written_text(world, documents);
  documents::lay_over(path, composed.text);
  for (const PastedFile& file : documents.files) {
    remember(file);
  }
}

}  // namespace

Composed compose(const std::vector<std::string>& paths, const Question& question, const std::string& name) {
  Composed composed;
  Diagnostics unreadable;
  composed.sources = load(paths, unreadable);
  for (const Diagnostic& problem : unreadable) {
    composed.left_out.push_back(problem.label);
  }
  if (has_errors(unreadable) || !may_hold_documents(composed.sources)) {
    return composed;
  }
  auto documents = read_pasted(composed.sources);
  if (!documents) {
    return composed;
  }
  if (documents->by_kind.empty() && !documents->foreign.empty() && documents->ignored.empty()) {
    // Other readers say what they are: of the documents alone, without the text around them.
    for (const SourceFile& source : documents->sources) {
      documents::lay_over(source.name == "<stdin>" ? "-" : source.name, source.text);
    }
    composed.ignored = ignored_lines(*documents);
    return composed;
  }
  composed.is_pasted = true;
  composed.sources = documents->sources;
  composed.ignored = ignored_lines(*documents);
  composed.diagnostics = documents->problems;
  if (has_errors(composed.diagnostics)) {
    return composed;
  }
  documents->assumed.insert(documents->assumed.begin(), composed.left_out.begin(), composed.left_out.end());
  if (documents->by_kind.empty() && !question.only_checks) {
    composed.problem = "no document says where requests go";
    composed.help = composed.ignored.front() + "; give Services, rules or policies as well";
    return composed;
  }
  const World world = assume_world(*documents, question);
  composed.diagnostics = documents->problems;
  lay_out(composed, world, *documents, name, stem_of(paths.front()));
  return composed;
}

namespace {

bool has_world(const PastedDocuments& documents) {
  return std::any_of(documents.by_kind.begin(), documents.by_kind.end(), [](const auto& kind) {
    return kind.first == "Service" || kind.first == "Deployment" || kind.first == "Pod" || kind.first == "Dataplane" ||
           kind.first == "ServiceEntry" || kind.first == "EndpointSlice";
  });
}

// True if the documents are only what changes of `whole`: they lack a kind of object that a world consists of, such as
// the Services of its Deployments, or are of one kind where the whole has several. Rules may be missing because they
// are to go.
bool is_part_of(const PastedDocuments& documents, const PastedDocuments& whole) {
  constexpr std::array kinds = {"Service",       "Deployment", "StatefulSet", "Pod",  "ServiceEntry",
                                "EndpointSlice", "Dataplane",  "MeshService", "Node", "Mesh"};
  return std::any_of(
             kinds.begin(), kinds.end(),
             [&](const char* kind) { return whole.by_kind.contains(kind) && !documents.by_kind.contains(kind); }) ||
         (documents.by_kind.size() == 1 && whole.by_kind.size() > 1);
}

std::string identity_of(const documents::Node& document) {
  const bool universal = value_below(document, {"type"}) != nullptr;
  return universal ? text_below(document, {"type"}) + "/" + text_below(document, {"mesh"}) + "/" +
                         text_below(document, {"name"})
                   : text_below(document, {"kind"}) + "/" + text_below(document, {"metadata", "namespace"}) + "/" +
                         text_below(document, {"metadata", "name"});
}

// Removes documents from `files` that have the same name as one in `with`.
void replace_documents(PastedDocuments& files, const PastedDocuments& with) {
  std::vector<std::string> names;
  for (const documents::Node* const document : with.documents()) {
    names.push_back(identity_of(*document));
  }
  for (PastedFile& file : files.files) {
    std::erase_if(file.documents, [&](const documents::Node& document) {
      return std::find(names.begin(), names.end(), identity_of(document)) != names.end();
    });
  }
}

PastedDocuments joined(PastedDocuments first, const PastedDocuments& second) {
  first.files.insert(first.files.end(), second.files.begin(), second.files.end());
  first.assumed.insert(first.assumed.end(), second.assumed.begin(), second.assumed.end());
  for (const auto& [kind, count] : second.by_kind) {
    first.by_kind[kind] += count;
  }
  first.family = second.family == Family::kuma ? Family::kuma : first.family;
  return first;
}

// Gives the files of two sides different names, because both sides may have the same files with other documents.
void name_files(PastedDocuments& documents, const char* side) {
  for (PastedFile& file : documents.files) {
    file.name = std::string(side) + ":" + file.name;
  }
}

}  // namespace

ComposedSides compose_sides(const std::string& before, const std::string& after, const Question& question) {
  ComposedSides sides;
  Diagnostics unreadable;
  Sources& old_texts = sides.before.sources = load({before}, unreadable);
  Sources& new_texts = sides.after.sources = load({after}, unreadable);
  for (const Diagnostic& problem : unreadable) {
    sides.after.left_out.push_back(problem.label);
  }
  if (has_errors(unreadable) || !may_hold_documents(old_texts) || !may_hold_documents(new_texts)) {
    return sides;
  }
  auto older = read_pasted(old_texts);
  auto newer = read_pasted(new_texts);
  if (!older || !newer || older->by_kind.empty() || newer->by_kind.empty()) {
    return sides;
  }
  newer->assumed.insert(newer->assumed.begin(), sides.after.left_out.begin(), sides.after.left_out.end());
  name_files(*older, "OLD");
  name_files(*newer, "NEW");
  PastedDocuments second = *newer;
  if (has_world(*older) && (!has_world(*newer) || is_part_of(*newer, *older))) {
    const bool says_so = has_world(*newer);
    PastedDocuments kept = *older;
    replace_documents(kept, *newer);
    name_files(kept, "NEW");
    second = joined(std::move(kept), *newer);
    if (says_so) {
      second.assumed.emplace_back("NEW is what changes: all other documents are those of OLD");
    }
  }
  // Composes each side with the documents of both, so that the assumptions are the same.
  PastedDocuments together = joined(*older, *newer);
  World world = assume_world(together, question);
  const auto side = [&](PastedDocuments documents, const std::string& path, const std::string& name) {
    Composed composed{.is_pasted = true};
    World own = assume_world(documents, question);
    // Scenarios of Envoy Gateway contain its policies: both sides have a text of their own.
    const World& common = has_world(documents) || !own.without_rules.empty() ? own : world;
    World written = common;
    if (&common == &world) {
      // Uses only the files of this side, with the assumptions for both.
      for (const PastedFile& file : together.files) {
        const bool of_this = std::any_of(documents.files.begin(), documents.files.end(),
                                         [&](const PastedFile& one) { return one.name == file.name; });
        const std::string line = "  - " + quoted_text(file.name) + "\n";
        const std::size_t at = written.text.find(line);
        if (!of_this && at != std::string::npos) {
          written.text.erase(at, line.size());
        }
      }
    }
    composed.sources = documents.sources;
    composed.diagnostics = documents.problems;
    composed.ignored = ignored_lines(documents);
    lay_out(composed, written, documents, path, name);
    return composed;
  };
  sides.before = side(std::move(*older), "assumed-old.yaml", stem_of(before));
  sides.after = side(std::move(second), "assumed-new.yaml", stem_of(after));
  return sides;
}

namespace {

// `kept`: "namespace/name" of VirtualServices that stay.
bool is_rule(const documents::Node& document, const std::set<std::string>& kept) {
  const std::string name_space = text_below(document, {"metadata", "namespace"});
  if (text_below(document, {"kind"}) == "VirtualService" &&
      kept.contains((name_space.empty() ? "default" : name_space) + "/" + text_below(document, {"metadata", "name"}))) {
    return false;
  }
  const std::string universal = text_below(document, {"type"});
  const std::string kind = universal.empty() ? text_below(document, {"kind"}) : universal;
  for (const char* const rule : {"DestinationRule", "VirtualService", "IstioOperator", "ConfigMap", "Sidecar",
                                 "MeshLoadBalancingStrategy", "MeshHTTPRoute", "MeshTCPRoute", "MeshCircuitBreaker",
                                 "MeshHealthCheck", "MeshTimeout", "MeshRetry", "MeshFaultInjection"}) {
    if (kind == rule) {
      return true;
    }
  }
  return false;
}

// Removes what a Service says about the zones of its endpoints. Returns false if it says nothing.
bool remove_preference(documents::Node& service) {
  bool changed = false;
  for (documents::Member& member : service.members) {
    if (member.key == "spec") {
      changed = std::erase_if(member.value.members,
                              [](const documents::Member& one) { return one.key == "trafficDistribution"; }) > 0 ||
                changed;
    } else if (member.key == "metadata") {
      for (documents::Member& below : member.value.members) {
        changed = std::erase_if(below.value.members,
                                [](const documents::Member& one) {
                                  return one.key == "networking.istio.io/traffic-distribution" ||
                                         one.key == "service.kubernetes.io/topology-mode";
                                }) > 0 ||
                  changed;
      }
    }
  }
  return changed;
}

// Returns false if the file has no rules.
bool remove_rules(PastedFile& file, const std::set<std::string>& kept) {
  bool changed = std::erase_if(file.documents, [&](const auto& document) { return is_rule(document, kept); }) > 0;
  for (documents::Node& document : file.documents) {
    if (text_below(document, {"kind"}) == "Service") {
      changed = remove_preference(document) || changed;
    }
  }
  return changed;
}

// Removes the lines about assumed VirtualServices that were derived from routes of the Gateway API.
std::string without_assumed_routes(const std::string& text, const std::set<std::string>& of_gateways) {
  const auto stays = [&](const std::string& line) {
    const Json route = Json::parse(line.substr(std::min(line.find('{'), line.size())), nullptr, false);
    const Json meta = route.is_object() ? route.value("metadata", Json::object()) : Json::object();
    return of_gateways.contains(meta.value("namespace", "default") + "/" + meta.value("name", ""));
  };
  std::string kept;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string line = text.substr(begin, end - begin);
    kept += line.find("\"kind\":\"VirtualService\"") == std::string::npos || stays(line) ? line : "";
    begin = end;
  }
  return kept;
}

}  // namespace

bool has_rules(const Composed& composed) {
  if (!composed.without_rules.empty()) {
    return composed.without_rules != composed.text;
  }
  const bool of_gateway_api = without_assumed_routes(composed.text, composed.gateway_routes) != composed.text;
  return of_gateway_api || std::any_of(composed.sources.begin(), composed.sources.end(), [&](const SourceFile& source) {
           const PastedFile* const file = remembered(source.name);
           PastedFile copy = file == nullptr ? PastedFile{} : *file;
           return remove_rules(copy, composed.gateway_routes);
         });
}

std::string lay_out_with(const Composed& composed, const std::string& further) {
  documents::lay_over("assumed-with.yaml", composed.text + further);
  return "assumed-with.yaml";
}

std::string lay_out_without_rules(const Composed& composed, const std::string& further) {
  if (!composed.without_rules.empty()) {
    documents::lay_over("assumed-without.yaml", composed.without_rules + further);
    return "assumed-without.yaml";
  }
  std::string text = without_assumed_routes(composed.text, composed.gateway_routes);
  for (const SourceFile& source : composed.sources) {
    const PastedFile* const file = remembered(source.name);
    const std::string line = "  - " + quoted_text(source.name) + "\n";
    const std::size_t at = text.find(line);
    if (file == nullptr || at == std::string::npos) {
      continue;
    }
    PastedFile other = *file;
    if (!remove_rules(other, composed.gateway_routes)) {
      continue;
    }
    other.name = "without:" + file->name;
    text.replace(at, line.size(), other.documents.empty() ? "" : "  - " + quoted_text(other.name) + "\n");
    remember(std::move(other));
  }
  constexpr std::string_view list = "resources:\n";
  const std::size_t begin = text.find(list);
  if (begin != std::string::npos && text.compare(begin + list.size(), 2, "  ") != 0) {
    // With mTLS, which is assumed as well if only policies are pasted.
    text.replace(begin, list.size(),
                 composed.is_kuma ? "resources: [{ type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ "
                                    "name: ca, type: builtin }] } }]\n"
                                  : "");
  }
  documents::lay_over("assumed-without.yaml", text + further);
  return "assumed-without.yaml";
}

}  // namespace spillway::scenario::pasted
