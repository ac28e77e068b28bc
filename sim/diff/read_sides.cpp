#include "sim/diff/read_sides.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/scenario/document/parse.hpp"
#include "sim/scenario/envoy/kinds.hpp"
#include "sim/scenario/envoy/read_envoy_documents.hpp"
#include "sim/scenario/istio/view_cache.hpp"
#include "sim/scenario/named_documents.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/scenario/written/istio/document.hpp"

namespace spillway::diff {
namespace {

using scenario::document::Member;
using scenario::document::Node;

// What the change cannot touch is made once for both sides, and for the failures that are looked at.
using Views = std::shared_ptr<scenario::istio_documents::ViewCache>;

enum class FileKind : std::uint8_t { scenario, kuma, other };

struct Loaded {
  scenario::SourceFile source;
  std::optional<Node> root;
  scenario::Diagnostics problems;
};

// The tree of a file; of several documents of YAML an array.
std::optional<Node> parse_whole(scenario::Sources& sources, std::uint32_t file, scenario::Diagnostics& problems) {
  auto documents = scenario::document::parse_documents(sources, file, problems);
  if (documents && documents->items.size() == 1) {
    Node only = std::move(documents->items.front());
    return only;
  }
  return documents;
}

Loaded load(const std::string& path, std::uint32_t file) {
  Loaded loaded;
  auto source = scenario::document::load_source(path, file, loaded.problems);
  loaded.source = source ? *source : scenario::SourceFile{path == "-" ? "<stdin>" : path, ""};
  if (!source) {
    return loaded;
  }
  scenario::Sources sources(file + 1);
  sources[file] = std::move(loaded.source);
  loaded.root = parse_whole(sources, file, loaded.problems);
  loaded.source = std::move(sources[file]);
  return loaded;
}

// The text of a key, or nothing.
std::string text_of(const Node& node, std::string_view key) {
  const Member* const member = node.find(key);
  return member != nullptr ? member->value.text : "";
}

bool is_kuma_document(const Node& node) {
  if (node.kind != scenario::document::Kind::object) {
    return false;
  }
  const std::string type = text_of(node, "type");
  return node.find("apiVersion") != nullptr || node.find("kind") != nullptr || type.starts_with("Mesh") ||
         type.starts_with("Zone") || type == "Dataplane" || (!type.empty() && node.find("spec") != nullptr);
}

FileKind kind_of(const Node& root) {
  const bool list = root.kind == scenario::document::Kind::array && !root.items.empty() &&
                    std::all_of(root.items.begin(), root.items.end(), is_kuma_document);
  if (list || is_kuma_document(root)) {
    return FileKind::kuma;
  }
  using scenario::envoy_documents::Kind;
  const bool scenario =
      root.kind == scenario::document::Kind::object && scenario::envoy_documents::kind_of(root) == Kind::scenario;
  return scenario ? FileKind::scenario : FileKind::other;
}

// Kind, mesh, namespace and name: what a control plane knows a document by.
using Identity = std::tuple<std::string, std::string, std::string, std::string>;

Identity identity_of(const Node& document) {
  std::string kind = text_of(document, "type");
  std::string mesh = text_of(document, "mesh");
  std::string name = text_of(document, "name");
  std::string name_space;
  if (const Member* const metadata = document.find("metadata")) {
    kind = text_of(document, "kind");
    name = text_of(metadata->value, "name");
    name_space = text_of(metadata->value, "namespace");
    const Member* const labels = metadata->value.find("labels");
    if (labels != nullptr && mesh.empty()) {
      mesh = text_of(labels->value, "kuma.io/mesh");
    }
  }
  if (name_space.empty() && scenario::written::is_istio_document(document)) {
    name_space = "default";
  }
  return {kind, mesh.empty() ? "default" : mesh, name_space, name};
}

bool is_list(const Node& document) {
  return document.find("items") != nullptr && text_of(document, "kind") == "List";
}

// Those of a file: the file itself, those of a list, or of several documents in an array.
void add_documents(const Node& node, std::vector<const Node*>& documents) {
  if (node.kind == scenario::document::Kind::array) {
    for (const Node& item : node.items) {
      add_documents(item, documents);
    }
  } else if (is_list(node)) {
    add_documents(node.find("items")->value, documents);
  } else {
    documents.push_back(&node);
  }
}

Member* find_member(Node& node, std::string_view key) {
  const auto found =
      std::find_if(node.members.begin(), node.members.end(), [&](const Member& member) { return member.key == key; });
  return found == node.members.end() ? nullptr : &*found;
}

void take_out(Node& list, const std::set<Identity>& identities) {
  std::erase_if(list.items, [&](const Node& document) { return identities.contains(identity_of(document)); });
  for (Node& document : list.items) {
    if (is_list(document)) {
      take_out(find_member(document, "items")->value, identities);
    }
  }
}

// Documents of Istio are as old as they stand in the file, so that a new one takes the old one's place.
bool replace_in_place(Node& list, const Node& document) {
  for (Node& known : list.items) {
    if (is_list(known)) {
      if (replace_in_place(find_member(known, "items")->value, document)) {
        return true;
      }
    } else if (identity_of(known) == identity_of(document)) {
      known = document;
      return true;
    }
  }
  return false;
}

bool replace_in_place(Node& world, const Node& document, std::set<Identity>& replaced) {
  for (const char* const key : {"policies", "resources"}) {
    Member* const list = find_member(world, key);
    if (list != nullptr && replace_in_place(list->value, document)) {
      replaced.erase(identity_of(document));
      return true;
    }
  }
  return false;
}

// The world's tree with the documents instead of those of the same names.
Node with_documents(Node world, std::vector<const Node*> documents, std::set<Identity> replaced) {
  std::erase_if(documents, [&](const Node* document) {
    return scenario::written::is_istio_document(*document) && replace_in_place(world, *document, replaced);
  });
  for (const char* const key : {"policies", "resources"}) {
    if (Member* const list = find_member(world, key)) {
      take_out(list->value, replaced);
    }
  }
  for (const Node* const document : documents) {
    const bool policy = document->find("spec") != nullptr && !scenario::written::is_istio_document(*document);
    const char* const key = policy ? "policies" : "resources";
    Member* list = find_member(world, key);
    if (list == nullptr) {
      Node empty;
      empty.kind = scenario::document::Kind::array;
      empty.span = document->span;
      world.members.push_back({key, document->span, std::move(empty)});
      list = &world.members.back();
    }
    list->value.items.push_back(*document);
  }
  return world;
}

// A scenario's tree as one of the two, or what is wrong with it. `file`: of the sources, the one that the user named.
void make_side(const std::string& name, std::uint32_t file, const Node& tree, scenario::Sources sources,
               const Views& views, std::optional<Side>& side, std::optional<scenario::Reading>& bad) {
  scenario::ScenarioTemplate base(tree, std::move(sources), views);
  if (base.reading().scenario) {
    side.emplace(name, file, tree, std::move(base));
  } else {
    bad = base.reading();
  }
}

void make_envoy_side(Loaded loaded, const scenario::EnvoyOptions& options, std::optional<Side>& side,
                     std::optional<scenario::Reading>& bad) {
  const std::string name = loaded.source.name;
  scenario::Reading reading = scenario::read_envoy_texts({std::move(loaded.source)}, options);
  if (reading.scenario) {
    side.emplace(name, *std::move(loaded.root), std::move(reading));
  } else {
    bad = std::move(reading);
  }
}

scenario::Reading unreadable(Loaded loaded, std::uint32_t file) {
  scenario::Sources sources(file + 1);
  sources[file] = std::move(loaded.source);
  return {std::nullopt, std::move(loaded.problems), std::move(sources)};
}

std::string_view words(FileKind kind) {
  switch (kind) {
    case FileKind::scenario:
      return "a scenario";
    case FileKind::kuma:
      return "a document of Kuma or Istio";
    case FileKind::other:
      break;
  }
  return "a document of Envoy";
}

std::optional<Refusal> refusal_of(const Files& files, FileKind before, FileKind after) {
  if (files.world) {
    const bool first = before != FileKind::kuma;
    if (first || after != FileKind::kuma) {
      return Refusal{"SP930",
                     "`--scenario` beside " + std::string(words(first ? before : after)) + ", " +
                         scenario::in_ticks(first ? files.before : files.after),
                     "it names the world of two files of Kuma's or Istio's documents"};
    }
    return std::nullopt;
  }
  if (before == FileKind::kuma && after == FileKind::kuma) {
    return Refusal{"SP931", "documents of a mesh without a world",
                   "--scenario FILE names the scenario whose policies or rules they replace"};
  }
  if ((before == FileKind::other) != (after == FileKind::other)) {
    return Refusal{"SP932",
                   std::string(words(before)) + " and " + std::string(words(after)) + " have no world in common",
                   "compare two scenarios, two documents of Envoy, or documents of Kuma or Istio in one scenario"};
  }
  return std::nullopt;
}

// Whether both are DestinationRules of the same names, each once.
bool changes_rules(const std::vector<const Node*>& before, const std::vector<const Node*>& after) {
  std::set<Identity> names;
  return before.size() == after.size() && !after.empty() &&
         std::equal(before.begin(), before.end(), after.begin(), [&](const Node* one, const Node* other) {
           const Identity identity = identity_of(*other);
           return scenario::written::is_istio_document(*other) && std::get<0>(identity) == "DestinationRule" &&
                  identity == identity_of(*one) && names.insert(identity).second;
         });
}

// One of both is the world itself, or both are documents in a third file.
void make_kuma_sides(const Files& files, Loaded world, const Loaded* before, const Loaded* after, Sides& sides) {
  std::vector<const Node*> documents_before;
  std::vector<const Node*> documents_after;
  std::set<Identity> replaced;
  const auto gather = [&](const Loaded* loaded, std::vector<const Node*>& documents) {
    if (loaded != nullptr) {
      add_documents(*loaded->root, documents);
    }
    for (const Node* const document : documents) {
      replaced.insert(identity_of(*document));
    }
  };
  gather(before, documents_before);
  gather(after, documents_after);
  // The documents of the world stand at the same places on both sides, behind what one side has alone.
  const Loaded* const either = before != nullptr ? before : after;
  scenario::Reading named{std::nullopt, {}, {world.source, either->source}};
  scenario::take_named_documents(*world.root, named.sources, named.diagnostics);
  const auto whole = std::make_shared<const Node>(*std::move(world.root));
  const auto views = std::make_shared<scenario::istio_documents::ViewCache>();
  const auto make = [&](const std::string& name, const Loaded* loaded, const std::vector<const Node*>& documents,
                        std::optional<Side>& side, std::optional<scenario::Reading>& bad) {
    scenario::Sources sources = named.sources;
    sources[1] = (loaded == nullptr ? either : loaded)->source;
    if (scenario::has_errors(named.diagnostics)) {
      bad = scenario::Reading{std::nullopt, named.diagnostics, std::move(sources)};
    } else if (loaded == nullptr) {
      make_side(name, 0, *whole, std::move(sources), views, side, bad);
    } else {
      make_side(name, 1, with_documents(*whole, documents, replaced), std::move(sources), views, side, bad);
    }
  };
  make(files.before, before, documents_before, sides.before, sides.bad_before);
  // A change of rules takes over what it cannot touch, where the other side has rules of the same names.
  const auto make_changed = [&](const Loaded& loaded) {
    if (!sides.before || !changes_rules(before == nullptr ? documents_after : documents_before, documents_after)) {
      return false;
    }
    std::vector<Node> rules;
    for (const Node* const document : documents_after) {
      rules.push_back(*document);
    }
    scenario::Sources sources = named.sources;
    sources[1] = loaded.source;
    const auto tree = [whole, rules, replaced] {
      std::vector<const Node*> documents;
      for (const Node& rule : rules) {
        documents.push_back(&rule);
      }
      return with_documents(*whole, documents, replaced);
    };
    auto changed = sides.before->base()->with_rules(rules, std::move(sources), tree);
    if (changed) {
      sides.after.emplace(files.after, 1, tree, *std::move(changed));
    }
    return changed.has_value();
  };
  // The world's own mistakes are told once.
  const auto in_world = [](const scenario::Diagnostic& problem) {
    return problem.severity == scenario::Severity::error && problem.where.file == 0;
  };
  if (sides.bad_before &&
      std::any_of(sides.bad_before->diagnostics.begin(), sides.bad_before->diagnostics.end(), in_world)) {
    return;
  }
  if (after == nullptr || !make_changed(*after)) {
    make(files.after, after, documents_after, sides.after, sides.bad_after);
  }
}

}  // namespace

Sides read_sides(const Files& files) {
  Sides sides;
  const int inputs = (files.before == "-" ? 1 : 0) + (files.after == "-" ? 1 : 0) + (files.world == "-" ? 1 : 0);
  if (inputs > 1) {
    sides.refusal = {"SP933", "standard input is named more than once", "it can be read once; name files"};
    return sides;
  }
  // Kuma's documents stand behind their world among the sources, and there only.
  Loaded before = load(files.before, 0);
  Loaded after = load(files.after, 0);
  if (!before.root || !after.root) {
    if (!before.root) {
      sides.bad_before = unreadable(std::move(before), 0);
    }
    if (!after.root) {
      sides.bad_after = unreadable(std::move(after), 0);
    }
    return sides;
  }
  const FileKind kind_before = kind_of(*before.root);
  const FileKind kind_after = kind_of(*after.root);
  sides.refusal = refusal_of(files, kind_before, kind_after);
  if (sides.refusal) {
    return sides;
  }
  const auto behind_world = [](const Loaded& loaded) {
    Loaded moved;
    scenario::Sources sources{{}, loaded.source};
    moved.root = parse_whole(sources, 1, moved.problems);
    moved.source = std::move(sources[1]);
    return moved;
  };
  if (files.world) {
    Loaded world = load(*files.world, 0);
    if (!world.root) {
      sides.bad_before = unreadable(std::move(world), 0);
      return sides;
    }
    const Loaded first = behind_world(before);
    const Loaded second = behind_world(after);
    make_kuma_sides(files, std::move(world), &first, &second, sides);
  } else if (kind_before == FileKind::kuma) {
    const Loaded first = behind_world(before);
    make_kuma_sides(files, std::move(after), &first, nullptr, sides);
  } else if (kind_after == FileKind::kuma) {
    const Loaded second = behind_world(after);
    make_kuma_sides(files, std::move(before), nullptr, &second, sides);
  } else if (kind_before == FileKind::scenario) {
    const auto views = std::make_shared<scenario::istio_documents::ViewCache>();
    make_side(files.before, 0, *before.root, {before.source}, views, sides.before, sides.bad_before);
    make_side(files.after, 0, *after.root, {after.source}, views, sides.after, sides.bad_after);
  } else {
    make_envoy_side(std::move(before), files.envoy, sides.before, sides.bad_before);
    make_envoy_side(std::move(after), files.envoy, sides.after, sides.bad_after);
  }
  if (sides.before && sides.after) {
    tell_zones_apart(*sides.before, *sides.after);
  }
  return sides;
}

}  // namespace spillway::diff
