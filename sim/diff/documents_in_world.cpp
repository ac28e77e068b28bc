#include "sim/diff/documents_in_world.hpp"

#include <algorithm>
#include <utility>

#include "models/istio/messages/document.hpp"

namespace spillway::diff {
namespace {

using documents::Member;
using documents::Node;

bool is_list(const Node& document) {
  return document.find("items") != nullptr && text_of(document, "kind") == "List";
}

void take_out(Node& list, const std::set<Identity>& identities) {
  std::erase_if(list.items, [&](const Node& document) { return identities.contains(identity_of(document)); });
  for (Node& document : list.items) {
    if (is_list(document)) {
      take_out(*member_of(document, "items"), identities);
    }
  }
}

// Replaces the document but keeps the old creation time: a server also keeps it when an object changes.
void replace(Node& known, const Node& document) {
  constexpr const char* created = "creationTimestamp";
  Node changed = document;
  Node* const metadata = member_of(changed, "metadata");
  Node* const old = member_of(known, "metadata");
  if (metadata != nullptr && old != nullptr) {
    std::erase_if(metadata->members, [](const Member& member) { return member.key == created; });
    if (const Member* const time = old->find(created)) {
      metadata->members.push_back(*time);
    }
  }
  known = std::move(changed);
}

// Replaces the document where it is. Among Istio documents without a creation time, the earlier one in the file is
// older, so a new document must keep the old one's position.
bool replace_in_place(Node& list, const Node& document) {
  for (Node& known : list.items) {
    if (is_list(known)) {
      if (replace_in_place(*member_of(known, "items"), document)) {
        return true;
      }
    } else if (identity_of(known) == identity_of(document)) {
      replace(known, document);
      return true;
    }
  }
  return false;
}

bool replace_in_place(Node& world, const Node& document, std::set<Identity>& replaced) {
  for (const char* const key : {"policies", "resources"}) {
    Node* const list = member_of(world, key);
    if (list != nullptr && replace_in_place(*list, document)) {
      replaced.erase(identity_of(document));
      return true;
    }
  }
  return false;
}

}  // namespace

Node* member_of(Node& node, std::string_view key) {
  const auto found =
      std::find_if(node.members.begin(), node.members.end(), [&](const Member& member) { return member.key == key; });
  return found == node.members.end() ? nullptr : &found->value;
}

Node& member_or_new(Node& node, const char* key, documents::Kind kind) {
  if (Node* const found = member_of(node, key)) {
    return *found;
  }
  Node made;
  made.kind = kind;
  made.span = node.span;
  node.members.push_back({key, node.span, std::move(made)});
  return node.members.back().value;
}

std::string text_of(const Node& node, std::string_view key) {
  const Member* const member = node.find(key);
  return member != nullptr ? member->value.text : "";
}

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
  if (name_space.empty() && messages::is_istio_document(document)) {
    name_space = "default";
  }
  return {kind, mesh.empty() ? "default" : mesh, name_space, name};
}

void add_documents(const Node& node, std::vector<const Node*>& documents) {
  if (node.kind == documents::Kind::array) {
    for (const Node& item : node.items) {
      add_documents(item, documents);
    }
  } else if (is_list(node)) {
    add_documents(node.find("items")->value, documents);
  } else {
    documents.push_back(&node);
  }
}

Node with_documents(Node world, std::vector<const Node*> documents, std::set<Identity> replaced) {
  std::erase_if(documents, [&](const Node* document) {
    return messages::is_istio_document(*document) && replace_in_place(world, *document, replaced);
  });
  for (const char* const key : {"policies", "resources"}) {
    if (Node* const list = member_of(world, key)) {
      take_out(*list, replaced);
    }
  }
  for (const Node* const document : documents) {
    const bool policy = document->find("spec") != nullptr && !messages::is_istio_document(*document);
    member_or_new(world, policy ? "policies" : "resources", documents::Kind::array).items.push_back(*document);
  }
  return world;
}

bool changes_rules(const std::vector<const Node*>& before, const std::vector<const Node*>& after) {
  std::set<Identity> names;
  return before.size() == after.size() && !after.empty() &&
         std::equal(before.begin(), before.end(), after.begin(), [&](const Node* one, const Node* other) {
           const Identity identity = identity_of(*other);
           return messages::is_istio_document(*other) && std::get<0>(identity) == "DestinationRule" &&
                  identity == identity_of(*one) && names.insert(identity).second;
         });
}

}  // namespace spillway::diff
