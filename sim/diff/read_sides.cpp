#include "sim/diff/read_sides.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config/profile.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "sim/diff/documents_in_world.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/binding/istio/view_cache.hpp"
#include "sim/scenario/named_documents.hpp"

namespace spillway::diff {
namespace {

using documents::Node;

// Views that the change cannot affect, built once for both sides and for all failures.
using Views = std::shared_ptr<scenario::istio_binding::ViewCache>;

enum class FileKind : std::uint8_t { scenario, kuma, other };

struct Loaded {
  SourceFile source;
  std::optional<Node> root;
  Diagnostics problems;
};

// Parses a file; several YAML documents become an array.
std::optional<Node> parse_whole(Sources& sources, std::uint32_t file, Diagnostics& problems) {
  auto documents = documents::parse_documents(sources, file, problems);
  if (documents && documents->items.size() == 1) {
    Node only = std::move(documents->items.front());
    return only;
  }
  return documents;
}

Loaded load(const std::string& path, std::uint32_t file) {
  Loaded loaded;
  auto source = documents::load_source(path, file, loaded.problems);
  loaded.source = source ? *source : SourceFile{path == "-" ? "<stdin>" : path, ""};
  if (!source) {
    return loaded;
  }
  Sources sources(file + 1);
  sources[file] = std::move(loaded.source);
  loaded.root = parse_whole(sources, file, loaded.problems);
  loaded.source = std::move(sources[file]);
  return loaded;
}

bool is_kuma_document(const Node& node) {
  if (node.kind != documents::Kind::object) {
    return false;
  }
  const std::string type = text_of(node, "type");
  return node.find("apiVersion") != nullptr || node.find("kind") != nullptr || type.starts_with("Mesh") ||
         type.starts_with("Zone") || type == "Dataplane" || (!type.empty() && node.find("spec") != nullptr);
}

FileKind kind_of(const Node& root) {
  const bool list = root.kind == documents::Kind::array && !root.items.empty() &&
                    std::all_of(root.items.begin(), root.items.end(), is_kuma_document);
  if (list || is_kuma_document(root)) {
    return FileKind::kuma;
  }
  using proxy::Kind;
  const bool scenario = root.kind == documents::Kind::object && proxy::kind_of(root) == Kind::scenario;
  return scenario ? FileKind::scenario : FileKind::other;
}

// Makes one side from a scenario's tree, or sets `bad` to its diagnostics.
void make_side(const std::string& name, const Node& tree, Sources sources, const Views& views,
               std::optional<Side>& side, std::optional<scenario::Reading>& bad) {
  scenario::ScenarioTemplate base(tree, std::move(sources), views);
  if (base.reading().scenario) {
    side.emplace(name, tree, std::move(base));
  } else {
    bad = base.reading();
  }
}

void make_envoy_side(Loaded loaded, const proxy::EnvoyOptions& options, std::optional<Side>& side,
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
  Sources sources(file + 1);
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
                     "`--scenario` with " + std::string(words(first ? before : after)) + ", " +
                         in_ticks(first ? files.before : files.after),
                     "--scenario is for comparing two files of Kuma's or Istio's documents"};
    }
    return std::nullopt;
  }
  if (before == FileKind::kuma && after == FileKind::kuma) {
    return Refusal{"SP931", "documents of a mesh without a scenario",
                   "--scenario FILE names the scenario whose policies or rules they replace"};
  }
  if ((before == FileKind::other) != (after == FileKind::other)) {
    return Refusal{"SP932",
                   std::string(words(before)) + " and " + std::string(words(after)) + " are of different kinds",
                   "compare two scenarios, two documents of Envoy, or documents of Kuma or Istio in one scenario"};
  }
  return std::nullopt;
}

// Makes both sides: one of them is the world itself, or both are documents in a third file.
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
  // The world's documents have the same places on both sides, after those of only one side.
  const Loaded* const either = before != nullptr ? before : after;
  scenario::Reading named{std::nullopt, {}, {world.source, either->source}};
  scenario::take_named_documents(*world.root, named.sources, named.diagnostics);
  const auto whole = std::make_shared<const Node>(*std::move(world.root));
  const auto views = std::make_shared<scenario::istio_binding::ViewCache>();
  const auto make = [&](const std::string& name, const Loaded* loaded, const std::vector<const Node*>& documents,
                        std::optional<Side>& side, std::optional<scenario::Reading>& bad) {
    Sources sources = named.sources;
    sources[1] = (loaded == nullptr ? either : loaded)->source;
    if (has_errors(named.diagnostics)) {
      bad = scenario::Reading{std::nullopt, named.diagnostics, std::move(sources)};
    } else if (loaded == nullptr) {
      make_side(name, *whole, std::move(sources), views, side, bad);
    } else {
      make_side(name, with_documents(*whole, documents, replaced), std::move(sources), views, side, bad);
    }
  };
  make(files.before, before, documents_before, sides.before, sides.bad_before);
  // If the other side has rules of the same names, a change of rules reuses the parts that it cannot affect.
  const auto make_changed = [&](const Loaded& loaded) {
    if (!sides.before || !changes_rules(before == nullptr ? documents_after : documents_before, documents_after)) {
      return false;
    }
    std::vector<Node> rules;
    for (const Node* const document : documents_after) {
      rules.push_back(*document);
    }
    Sources sources = named.sources;
    sources[1] = loaded.source;
    const auto tree = [whole, rules, replaced] {
      std::vector<const Node*> documents;
      for (const Node& rule : rules) {
        documents.push_back(&rule);
      }
      return with_documents(*whole, documents, replaced);
    };
    auto changed = sides.before->base()->with_rules(rules, std::move(sources), tree);
    if (!changed) {
      return false;
    }
    sides.after.emplace(files.after, tree, *std::move(changed));
    return true;
  };
  // Errors of the world itself are reported once.
  const auto in_world = [](const Diagnostic& problem) {
    return problem.severity == Severity::error && problem.where.file == 0;
  };
  if (sides.bad_before &&
      std::any_of(sides.bad_before->diagnostics.begin(), sides.bad_before->diagnostics.end(), in_world)) {
    return;
  }
  if (after == nullptr || !make_changed(*after)) {
    make(files.after, after, documents_after, sides.after, sides.bad_after);
  }
}

void set_profile(Node& root, const ProfileChoice& choice) {
  Node& profile = member_or_new(root, "profile", documents::Kind::object);
  if (profile.kind == documents::Kind::object) {
    Node& chosen = member_or_new(profile, choice.program.c_str(), documents::Kind::string);
    chosen.kind = documents::Kind::string;
    chosen.text = choice.release;
  }
}

ProfileChoice choice_of(std::uint32_t release) {
  return {"envoy",
          std::string(config::envoy_profile_names.at(static_cast<std::size_t>(config::profile_of_release(release))))};
}

}  // namespace

std::optional<Sides> read_releases(const std::string& path, std::optional<std::uint32_t> from, std::uint32_t to) {
  return read_profiles(path, from ? std::optional(choice_of(*from)) : std::nullopt, choice_of(to));
}

std::optional<Sides> read_profiles(const std::string& path, const std::optional<ProfileChoice>& from,
                                   const ProfileChoice& to) {
  Loaded loaded = path == "-" ? Loaded{} : load(path, 0);
  if (!loaded.root || kind_of(*loaded.root) != FileKind::scenario) {
    return std::nullopt;
  }
  Node after = *loaded.root;
  set_profile(after, to);
  if (from) {
    set_profile(*loaded.root, *from);
  }
  Sides sides;
  const auto views = std::make_shared<scenario::istio_binding::ViewCache>();
  const auto name = [&](const Node& root) {
    const Node* const profile = root.find("profile") == nullptr ? nullptr : &root.find("profile")->value;
    const std::string release = profile == nullptr ? "" : text_of(*profile, to.program.c_str());
    return path + (release.empty() ? "" : " by " + release);
  };
  make_side(name(*loaded.root), *loaded.root, {loaded.source}, views, sides.before, sides.bad_before);
  make_side(name(after), after, {loaded.source}, views, sides.after, sides.bad_after);
  if (sides.before && sides.after) {
    match_names(*sides.before, *sides.after);
  }
  return sides;
}

Sides read_sides(const Files& files) {
  Sides sides;
  const int inputs = (files.before == "-" ? 1 : 0) + (files.after == "-" ? 1 : 0) + (files.world == "-" ? 1 : 0);
  if (inputs > 1) {
    sides.refusal = {"SP933", "standard input is named more than once", "it can be read only once; name files"};
    return sides;
  }
  // Kuma documents come after their world in the list of sources, and only there.
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
    Sources sources{{}, loaded.source};
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
    const auto views = std::make_shared<scenario::istio_binding::ViewCache>();
    make_side(files.before, *before.root, {before.source}, views, sides.before, sides.bad_before);
    make_side(files.after, *after.root, {after.source}, views, sides.after, sides.bad_after);
  } else {
    make_envoy_side(std::move(before), files.envoy, sides.before, sides.bad_before);
    make_envoy_side(std::move(after), files.envoy, sides.after, sides.bad_after);
  }
  if (sides.before && sides.after) {
    match_names(*sides.before, *sides.after);
  }
  return sides;
}

}  // namespace spillway::diff
