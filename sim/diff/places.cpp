#include "sim/diff/places.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "sim/scenario/pasted/pasted_files.hpp"

namespace spillway::diff {
namespace {

using documents::Kind;
using documents::Member;
using documents::Node;

// Returns the name of a list item; empty if it has none.
std::string own_name(const Node& item) {
  for (const char* const key : {"name", "id", "cluster_name", "address"}) {
    if (const Member* const member = item.find(key); member != nullptr && member->value.kind == Kind::string) {
      return member->value.text;
    }
  }
  const Member* const metadata = item.find("metadata");
  return metadata != nullptr ? own_name(metadata->value) : "";
}

// Returns "VirtualService prod/cart" for a document of Kubernetes; empty for anything else.
std::string name_with_kind(const Node& item) {
  const Member* const kind = item.find("kind");
  const Member* const metadata = item.find("metadata");
  if (kind == nullptr || metadata == nullptr) {
    return "";
  }
  const Member* const name_space = metadata->value.find("namespace");
  return kind->value.text + " " + (name_space == nullptr ? "" : name_space->value.text + "/") +
         own_name(metadata->value);
}

// Returns the names of all items of a list; empty if some have none or two are equal. Documents of one name are told
// apart by their kinds.
std::vector<std::string> names_of(const Node& list) {
  for (const auto name_of : {own_name, name_with_kind}) {
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (const Node& item : list.items) {
      names.push_back(name_of(item));
      if (names.back().empty() || !seen.insert(names.back()).second) {
        break;
      }
    }
    if (seen.size() == list.items.size()) {
      return names;
    }
  }
  return {};
}

std::string in_list(const std::string& place, const std::vector<std::string>& names, std::size_t position) {
  return place + "[" + (names.empty() ? std::to_string(position) : names[position]) + "]";
}

std::string in_object(const std::string& place, const std::string& key) {
  return place.empty() ? key : place + "." + key;
}

auto begin_of(const Span& span) {
  return std::tuple(span.file, span.line, span.column);
}

// Finds the last node that begins at or before a location. Parents come before their children.
class Finder {
 public:
  explicit Finder(const Span& where) : where_(where) {}

  void look(const Node& node) {
    consider(node.span);
    for (std::size_t position = 0; position < node.items.size(); ++position) {
      way_.push_back({&node, position});
      look(node.items[position]);
      way_.pop_back();
    }
    for (std::size_t position = 0; position < node.members.size(); ++position) {
      way_.push_back({&node, position});
      consider(node.members[position].key_span);
      look(node.members[position].value);
      way_.pop_back();
    }
  }

  [[nodiscard]] std::string place() const {
    std::string place;
    for (const auto& [node, position] : found_way_) {
      place = node->kind == Kind::array ? in_list(place, names_of(*node), position)
                                        : in_object(place, node->members[position].key);
    }
    return place;
  }

 private:
  void consider(const Span& span) {
    if (span.file == where_.file && begin_of(span) <= begin_of(where_) && begin_of(span) >= begin_of(found_)) {
      found_ = span;
      found_way_ = way_;
    }
  }

  using Way = std::vector<std::pair<const Node*, std::size_t>>;
  Span where_;
  Span found_{0, 0, 0, 0};
  Way way_;
  Way found_way_;
};

class Editor {
 public:
  explicit Editor(std::size_t most) : most_(most) {}

  void compare(const Node& before, const Node& after, const std::string& place) {
    if (edits_.size() >= most_) {
      return;
    }
    if (before.kind == Kind::object && after.kind == Kind::object) {
      compare_objects(before, after, place);
    } else if (before.kind == Kind::array && after.kind == Kind::array) {
      compare_lists(with_pasted(before), with_pasted(after), place);
    } else if (!same_value(before, after)) {
      add(place, after.span);
    }
  }

  [[nodiscard]] std::vector<Edit> take() { return std::move(edits_); }

 private:
  // Returns the list with the documents of pasted files in place of their names, which say nothing of what is in them.
  static Node with_pasted(const Node& list) {
    Node all = list;
    all.items.clear();
    for (const Node& item : list.items) {
      const auto* const file = item.kind == Kind::string ? scenario::pasted::remembered(item.text) : nullptr;
      if (file == nullptr) {
        all.items.push_back(item);
      } else {
        all.items.insert(all.items.end(), file->documents.begin(), file->documents.end());
      }
    }
    return all;
  }

  static bool is_number(const Node& node) { return node.kind == Kind::integer || node.kind == Kind::number; }

  static bool same_value(const Node& before, const Node& after) {
    if (before.kind == Kind::integer && after.kind == Kind::integer) {
      return before.negative == after.negative && before.magnitude == after.magnitude;
    }
    if (is_number(before) && is_number(after)) {
      return before.number == after.number;
    }
    return before.kind == after.kind && before.boolean == after.boolean && before.text == after.text;
  }

  void add(const std::string& place, const Span& where) {
    if (edits_.size() < most_) {
      edits_.push_back({place, where});
    }
  }

  void compare_objects(const Node& before, const Node& after, const std::string& place) {
    for (const Member& member : after.members) {
      const Member* const old = before.find(member.key);
      if (old != nullptr) {
        compare(old->value, member.value, in_object(place, member.key));
      } else {
        add(in_object(place, member.key), member.key_span);
      }
    }
    for (const Member& member : before.members) {
      if (after.find(member.key) == nullptr) {
        add(in_object(place, member.key), after.span);
      }
    }
  }

  void compare_lists(const Node& before, const Node& after, const std::string& place) {
    const std::vector<std::string> old_names = names_of(before);
    const std::vector<std::string> names = names_of(after);
    const bool named = old_names.size() == before.items.size() && names.size() == after.items.size();
    for (std::size_t position = 0; position < after.items.size(); ++position) {
      const std::string here = in_list(place, named ? names : std::vector<std::string>{}, position);
      const auto old = named ? static_cast<std::size_t>(std::find(old_names.begin(), old_names.end(), names[position]) -
                                                        old_names.begin())
                             : position;
      if (old < before.items.size()) {
        compare(before.items[old], after.items[position], here);
      } else {
        add(here, after.items[position].span);
      }
    }
    for (std::size_t position = 0; position < before.items.size(); ++position) {
      const bool gone = named ? std::find(names.begin(), names.end(), old_names[position]) == names.end()
                              : position >= after.items.size();
      if (gone) {
        add(in_list(place, named ? old_names : std::vector<std::string>{}, position), after.span);
      }
    }
  }

  std::size_t most_;
  std::vector<Edit> edits_;
};

}  // namespace

std::string place_of(const Node& tree, const Span& where) {
  Finder finder(where);
  finder.look(tree);
  return finder.place();
}

std::vector<Edit> edits_of(const Node& before, const Node& after, std::size_t most) {
  Editor editor(most);
  editor.compare(before, after, "");
  return editor.take();
}

bool is_words(const Edit& edit) {
  return edit.place == "name" || edit.place == "description" || edit.place == "source" || edit.place == "$schema";
}

}  // namespace spillway::diff
