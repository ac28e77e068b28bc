#include "sim/scenario/pasted/delegated_routes.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace spillway::scenario::pasted {
namespace {

using documents::Member;
using documents::Node;

// A StringMatch: one of `exact`, `prefix` and `regex`, with its text.
struct Text {
  std::string_view by = {};
  std::string_view text = {};
};

std::optional<Text> string_match(const Node* match) {
  for (const char* const by : {"exact", "prefix", "regex"}) {
    const Member* const found = match == nullptr ? nullptr : match->find(by);
    if (found != nullptr && !found->value.text.empty()) {
      return Text{by, found->value.text};
    }
  }
  return match == nullptr ? std::nullopt : std::optional(Text{});
}

const Node* value_of(const Node& object, std::string_view key) {
  const Member* const member = object.find(key);
  return member == nullptr ? nullptr : &member->value;
}

bool conflict(const Node* of_root, const Node* of_leaf) {
  const auto root = string_match(of_root);
  const auto leaf = string_match(of_leaf);
  if (!root || !leaf) {
    return false;
  }
  if (root->by == "exact") {
    return leaf->by != "exact" || leaf->text != root->text;
  }
  const bool within = leaf->by == "prefix" || leaf->by == "exact";
  return root->by != "prefix" || !within || !leaf->text.starts_with(root->text);
}

bool in_conflict(const Node& root, const Node& leaf) {
  for (const char* const key : {"uri", "scheme", "method", "authority"}) {
    if (conflict(value_of(root, key), value_of(leaf, key))) {
      return true;
    }
  }
  for (const char* const key : {"headers", "withoutHeaders", "queryParams", "sourceLabels"}) {
    const Node* const of_root = value_of(root, key);
    const Node* const of_leaf = value_of(leaf, key);
    for (std::size_t i = 0; of_root != nullptr && of_leaf != nullptr && i < of_leaf->members.size(); ++i) {
      const Member& own = of_leaf->members[i];
      const Node* const other = value_of(*of_root, own.key);
      const bool is_label = std::string_view(key) == "sourceLabels";
      if (is_label ? other != nullptr && other->text != own.value.text : conflict(other, &own.value)) {
        return true;
      }
    }
  }
  const auto differs = [&](const char* key) {
    const Node* const of_root = value_of(root, key);
    const Node* const of_leaf = value_of(leaf, key);
    return of_root != nullptr && of_leaf != nullptr && of_root->text != of_leaf->text;
  };
  const auto ignores_case = [](const Node& match) {
    const Node* const value = value_of(match, "ignoreUriCase");
    return value != nullptr && value->boolean;
  };
  const Node* const name_space = value_of(root, "sourceNamespace");
  return ignores_case(root) != ignores_case(leaf) || differs("port") ||
         (name_space != nullptr && (value_of(leaf, "sourceNamespace") == nullptr || differs("sourceNamespace")));
}

// Returns the leaf's match with what only the root's has.
Node merged(const Node& root, Node leaf) {
  for (const Member& member : root.members) {
    const auto own = std::find_if(leaf.members.begin(), leaf.members.end(),
                                  [&](const Member& one) { return one.key == member.key; });
    if (own == leaf.members.end()) {
      leaf.members.push_back(member);
    } else if (member.key == "headers" || member.key == "withoutHeaders" || member.key == "queryParams" ||
               member.key == "sourceLabels") {
      for (const Member& below : member.value.members) {
        if (own->value.find(below.key) == nullptr) {
          own->value.members.push_back(below);
        }
      }
    }
  }
  return leaf;
}

// Gives `part` the matches of both. Returns false if istiod drops it.
bool join_matches(const Node& route, Node& part) {
  const Member* const of_root = route.find("match");
  if (of_root == nullptr || of_root->value.items.empty()) {
    return true;
  }
  const auto own = std::find_if(part.members.begin(), part.members.end(),
                                [](const Member& member) { return member.key == "match"; });
  if (own == part.members.end() || own->value.items.empty()) {
    std::erase_if(part.members, [](const Member& member) { return member.key == "match"; });
    part.members.insert(part.members.begin(), *of_root);
    return true;
  }
  std::vector<Node> all;
  for (const Node& leaf : own->value.items) {
    const std::size_t before = all.size();
    for (const Node& root : of_root->value.items) {
      if (!in_conflict(root, leaf)) {
        all.push_back(merged(root, leaf));
      }
    }
    if (all.size() == before) {
      return false;
    }
  }
  own->value.items = std::move(all);
  return true;
}

}  // namespace

DelegatedRoutes delegated_routes(const Node& route, const std::vector<Node>& of_delegate) {
  DelegatedRoutes made;
  for (Node part : of_delegate) {
    if (!join_matches(route, part)) {
      ++made.in_conflict;
      continue;
    }
    std::erase_if(part.members, [](const Member& member) { return member.key.starts_with("mirror"); });
    for (const char* const key : {"rewrite", "directResponse", "timeout", "retries", "fault", "headers"}) {
      if (const Member* const from = route.find(key); from != nullptr && part.find(key) == nullptr) {
        part.members.push_back(*from);
      }
    }
    made.routes.push_back(std::move(part));
  }
  return made;
}

}  // namespace spillway::scenario::pasted
