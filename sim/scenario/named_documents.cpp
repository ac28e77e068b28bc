#include "sim/scenario/named_documents.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/node_edit.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/istio/messages/document.hpp"
#include "sim/scenario/files_beside.hpp"
#include "sim/scenario/pasted/pasted_files.hpp"

namespace spillway::scenario {
namespace {

// Returns the position of the file among the sources; nullopt if it cannot be read, which is reported where it is
// named.
std::optional<std::uint32_t> source_of(const documents::Node& name, Sources& sources, Diagnostics& problems) {
  const std::string path = path_beside(sources.front(), name.text);
  const auto known =
      std::find_if(sources.begin(), sources.end(), [&](const SourceFile& source) { return source.name == path; });
  if (known != sources.end()) {
    return static_cast<std::uint32_t>(known - sources.begin());
  }
  if (name.text == "-") {
    problems.error("SP693", name.span, "cannot take documents of `-`", "must be a file");
    return std::nullopt;
  }
  const auto file = static_cast<std::uint32_t>(sources.size());
  if (const pasted::PastedFile* const held = pasted::remembered(path)) {
    sources.push_back({held->name, held->text});
    return file;
  }
  Diagnostics unreadable;
  auto source = documents::load_source(path, file, unreadable, documents::Reads::regular_files);
  if (!source) {
    problems.push_back(std::move(unreadable.front()));
    problems.back().where = name.span;
    return std::nullopt;
  }
  source->shown = shown_of(sources.front(), path);
  sources.push_back(*std::move(source));
  return file;
}

// True for a typed list such as `kind: PodList`, as the API server returns it: its items may lack their kind.
bool is_typed_list(const documents::Node& node) {
  const documents::Member* const kind = node.kind == documents::Kind::object ? node.find("kind") : nullptr;
  const documents::Member* const items = kind == nullptr ? nullptr : node.find("items");
  return items != nullptr && items->value.kind == documents::Kind::array && kind->value.text != "List" &&
         kind->value.text.ends_with("List") && node.find("apiVersion") != nullptr;
}

// True for `items:` with the keys that `kumactl get ... -o yaml` prints around them.
bool is_untyped_list(const documents::Node& node) {
  const documents::Member* const items = node.kind == documents::Kind::object ? node.find("items") : nullptr;
  return items != nullptr && items->value.kind == documents::Kind::array && node.find("kind") == nullptr &&
         node.find("type") == nullptr;
}

void add_documents(documents::Node node, std::vector<documents::Node>& documents, Diagnostics& problems);

void add_items(const documents::Node& list, std::vector<documents::Node>& documents, Diagnostics& problems) {
  documents::Member kind = *list.find("kind");
  kind.value.text.resize(kind.value.text.size() - std::string("List").size());
  for (documents::Node item : list.find("items")->value.items) {
    if (item.kind == documents::Kind::object && item.find("kind") == nullptr) {
      item.members.push_back(kind);
      if (item.find("apiVersion") == nullptr) {
        item.members.push_back(*list.find("apiVersion"));
      }
    }
    add_documents(std::move(item), documents, problems);
  }
}

void add_documents(documents::Node node, std::vector<documents::Node>& documents, Diagnostics& problems) {
  if (node.kind == documents::Kind::array) {
    for (documents::Node& item : node.items) {
      add_documents(std::move(item), documents, problems);
    }
  } else if (is_untyped_list(node)) {
    add_documents(node.find("items")->value, documents, problems);
  } else if (is_typed_list(node)) {
    add_items(node, documents, problems);
  } else if (node.kind == documents::Kind::object) {
    documents.push_back(std::move(node));
  } else if (node.kind != documents::Kind::null) {
    problems.error("SP693", node.span, "not a document", "expected an object with `kind` or `type`");
  }
}

void take_documents(documents::Node& list, Sources& sources, Diagnostics& problems) {
  const auto is_name = [](const documents::Node& item) { return item.kind == documents::Kind::string; };
  const auto stands_for_others = [&](const documents::Node& item) { return is_name(item) || is_untyped_list(item); };
  if (list.kind != documents::Kind::array || std::none_of(list.items.begin(), list.items.end(), stands_for_others)) {
    return;
  }
  std::vector<documents::Node> documents;
  for (documents::Node& item : list.items) {
    if (is_untyped_list(item)) {
      add_documents(std::move(item), documents, problems);
      continue;
    }
    if (!is_name(item)) {
      documents.push_back(std::move(item));
      continue;
    }
    const auto file = source_of(item, sources, problems);
    if (file == 0) {
      problems.error("SP693", item.span, "the scenario names itself", "must be a file of documents");
      continue;
    }
    if (const pasted::PastedFile* const held = file ? pasted::remembered(sources[*file].name) : nullptr) {
      for (documents::Node document : held->documents) {
        pasted::move_to_file(document, *file);
        documents.push_back(std::move(document));
      }
      continue;
    }
    if (auto held = file ? documents::parse_documents(sources, *file, problems) : std::nullopt) {
      add_documents(*std::move(held), documents, problems);
    }
  }
  list.items = std::move(documents);
}

// Removes members without a value from Istio's and Kubernetes' documents, also in lists of them.
void drop_nulls(documents::Node& document) {
  if (messages::is_istio_document(document)) {
    return documents::drop_nulls(document);
  }
  for (documents::Member& member : document.members) {
    if (member.key == "items") {
      std::for_each(member.value.items.begin(), member.value.items.end(), drop_nulls);
    }
  }
}

}  // namespace

void take_named_documents(documents::Node& root, Sources& sources, Diagnostics& problems) {
  for (documents::Member& member : root.members) {
    if (member.key == "policies" || member.key == "resources") {
      take_documents(member.value, sources, problems);
      documents::apply_merge_keys(member.value);
      std::for_each(member.value.items.begin(), member.value.items.end(), drop_nulls);
    }
  }
  hide_contents(sources, problems);
}

}  // namespace spillway::scenario
