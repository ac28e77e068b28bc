#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <iterator>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"
#include "sim/sweep/path.hpp"

namespace spillway::sweep {
namespace {

using documents::Kind;
using documents::Member;
using documents::Node;

// Normalizes keys: outlier_detection and outlierDetection become equal.
std::string without_case(std::string_view key) {
  std::string alike;
  for (const char character : key) {
    if (character != '_') {
      alike += static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
    }
  }
  return alike;
}

Member* find_member(Node& object, std::string_view key) {
  Member* alike = nullptr;
  for (Member& member : object.members) {
    if (member.key == key) {
      return &member;
    }
    if (without_case(member.key) == without_case(key)) {
      alike = &member;
    }
  }
  return alike;
}

std::string text_of(const Node& scalar) {
  return scalar.kind == Kind::boolean ? (scalar.boolean ? "true" : "false") : scalar.text;
}

std::vector<std::string> names_of(const Node& element) {
  std::vector<std::string> names;
  if (element.kind == Kind::string) {
    names.push_back(element.text);
  }
  for (const char* key : {"name", "id", "cluster_name", "clusterName", "service"}) {
    const Member* member = element.find(key);
    if (member != nullptr && member->value.kind == Kind::string) {
      names.push_back(member->value.text);
    }
  }
  if (const Member* metadata = element.find("metadata")) {
    if (const Member* name = metadata->value.find("name")) {
      names.push_back(name->value.text);
    }
  }
  return names;
}

bool is_called(const Node& element, const std::string& name) {
  const std::vector<std::string> names = names_of(element);
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<std::size_t> position_of(const std::string& text) {
  std::size_t position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(position) : std::nullopt;
}

// Returns "rps" for "200rps"; empty if there is no number before it.
std::string unit_of(const Node& node) {
  if (node.kind != Kind::string) {
    return "";
  }
  const std::size_t end = std::min(node.text.find_first_not_of("0123456789."), node.text.size());
  const std::string unit = end == 0 ? "" : node.text.substr(end);
  const bool is_unit = std::all_of(unit.begin(), unit.end(), [](unsigned char character) {
    return std::isalpha(character) != 0 || character == '%' || character == '/';
  });
  return is_unit ? unit : "";
}

void collect_below(Node& node, const std::string& key, std::vector<Node*>& found) {
  for (Member& member : node.members) {
    if (member.key == key || without_case(member.key) == without_case(key)) {
      found.push_back(&member.value);
    }
    collect_below(member.value, key, found);
  }
  for (Node& item : node.items) {
    collect_below(item, key, found);
  }
}

class Assignment {
 public:
  Assignment(const Path& path, const Node& value) : path_(path), value_(value) {}

  std::optional<PathProblem> put(Node& node, std::size_t step) {
    if (step == path_.size()) {
      put_value(node);
      return std::nullopt;
    }
    switch (path_[step].kind) {
      case PathStep::Kind::member:
        return put_in_member(node, step);
      case PathStep::Kind::anywhere_below:
        return put_below(node, step);
      case PathStep::Kind::element:
      case PathStep::Kind::elements_where:
      case PathStep::Kind::every_element:
        return put_in_elements(node, step);
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] PathProblem problem(std::size_t step, std::string message, std::string label,
                                    std::string help = "") const {
    return {std::move(message), std::move(label), std::move(help), path_[step].begin, path_[step].length};
  }

  [[nodiscard]] std::string before(std::size_t step) const {
    return step == 0 ? "the scenario" : in_ticks(path_[step - 1].name.empty() ? "it" : path_[step - 1].name);
  }

  void put_value(Node& node) const {
    const std::string unit = unit_of(node);
    const bool bare = value_.kind == Kind::integer || value_.kind == Kind::number;
    const auto span = value_.span;
    Node put = value_;
    if (bare && node.kind == Kind::string) {
      put.kind = Kind::string;
      put.text += unit;
    }
    put.protobuf = node.protobuf;
    put.envoys_own = node.envoys_own;
    put.reported = node.reported;
    put.span = span;
    node = std::move(put);
  }

  std::optional<PathProblem> put_in_member(Node& node, std::size_t step) {
    const std::string& key = path_[step].name;
    if (node.kind != Kind::object) {
      std::string help = node.kind == Kind::array ? "write an element in brackets, by its name or position" : "";
      return problem(step,
                     fmt::format("{} is {}, which has no key {}", before(step), documents::describe_kind(node.kind),
                                 in_ticks(key)),
                     "no such key", std::move(help));
    }
    if (Member* member = find_member(node, key)) {
      return put(member->value, step + 1);
    }
    // A node with elements in the path must exist; the schema judges everything else. The keys of `replicas` are names.
    const bool needs_list =
        step + 1 < path_.size() && path_[step + 1].kind != PathStep::Kind::member && key != "replicas";
    if (needs_list) {
      std::vector<std::string> keys;
      for (const Member& member : node.members) {
        keys.push_back(member.key);
      }
      const std::string nearest = grammar::nearest(key, keys);
      return problem(step, fmt::format("{} has no {}", before(step), in_ticks(key)), "no such key",
                     nearest.empty() ? "" : fmt::format("did you mean `{}`?", nearest));
    }
    Node made;
    made.kind = Kind::object;
    made.span = value_.span;
    made.protobuf = node.protobuf;
    made.envoys_own = node.envoys_own;
    node.members.push_back({key, value_.span, std::move(made)});
    return put(node.members.back().value, step + 1);
  }

  std::optional<PathProblem> put_below(Node& node, std::size_t step) {
    const std::string& key = path_[step + 1].name;
    std::vector<Node*> found;
    collect_below(node, key, found);
    if (found.size() == 1) {
      return put(*found.front(), step + 2);
    }
    return problem(step + 1,
                   found.empty() ? fmt::format("{} has no {} anywhere below it", before(step), in_ticks(key))
                                 : fmt::format("{} has {} keys {} below it", before(step), found.size(), in_ticks(key)),
                   found.empty() ? "no such key" : "ambiguous",
                   "write the whole path, with a position in brackets where there are several");
  }

  // True if every step but the last leads to something.
  [[nodiscard]] bool leads_on(Node& node, std::size_t step) const {
    if (step + 1 >= path_.size()) {
      return true;
    }
    const PathStep& wanted = path_[step];
    if (wanted.kind == PathStep::Kind::member) {
      Member* const next = node.kind == Kind::object ? find_member(node, wanted.name) : nullptr;
      return next != nullptr && leads_on(next->value, step + 1);
    }
    if (wanted.kind == PathStep::Kind::element && node.kind == Kind::array) {
      const std::vector<Node*> chosen = chosen_of(node, wanted);
      return !chosen.empty() && leads_on(*chosen.front(), step + 1);
    }
    return true;
  }

  std::optional<PathProblem> put_in_elements(Node& node, std::size_t step) {
    const PathStep& wanted = path_[step];
    if (node.kind == Kind::object && wanted.kind == PathStep::Kind::element) {
      return put_in_member(node, step);
    }
    if (node.kind != Kind::array) {
      return problem(step, fmt::format("{} is {}, not a list", before(step), describe_kind(node.kind)),
                     "brackets choose elements of a list");
    }
    std::vector<Node*> chosen = chosen_of(node, wanted);
    if (chosen.empty()) {
      return no_element(node, step);
    }
    if (chosen.size() > 1 && wanted.kind == PathStep::Kind::element) {
      std::vector<Node*> fitting;
      std::copy_if(chosen.begin(), chosen.end(), std::back_inserter(fitting),
                   [&](Node* element) { return leads_on(*element, step + 1); });
      chosen = fitting.size() == 1 ? fitting : chosen;
    }
    if (chosen.size() > 1 && wanted.kind == PathStep::Kind::element) {
      return problem(step, fmt::format("{} has {} elements {}", before(step), chosen.size(), in_ticks(wanted.name)),
                     "ambiguous", "write its position, from 0, or a condition such as [zone=zone-1]");
    }
    for (Node* element : chosen) {
      if (auto wrong = put(*element, step + 1)) {
        return wrong;
      }
    }
    return std::nullopt;
  }

  static std::vector<Node*> chosen_of(Node& list, const PathStep& wanted) {
    std::vector<Node*> chosen;
    for (Node& element : list.items) {
      const Member* member = element.find(wanted.name);
      const bool is_it = wanted.kind == PathStep::Kind::every_element ||
                         (wanted.kind == PathStep::Kind::elements_where && member != nullptr &&
                          text_of(member->value) == wanted.value) ||
                         (wanted.kind == PathStep::Kind::element && is_called(element, wanted.name));
      if (is_it) {
        chosen.push_back(&element);
      }
    }
    if (chosen.empty() && wanted.kind == PathStep::Kind::element) {
      const auto position = position_of(wanted.name);
      if (position && *position < list.items.size()) {
        chosen.push_back(&list.items[*position]);
      }
    }
    return chosen;
  }

  [[nodiscard]] PathProblem no_element(const Node& list, std::size_t step) const {
    constexpr std::size_t most = 8;
    const PathStep& wanted = path_[step];
    std::vector<std::string> names;
    for (const Node& element : list.items) {
      const std::vector<std::string> own = names_of(element);
      names.insert(names.end(), own.begin(), own.end());
    }
    const std::string nearest = grammar::nearest(wanted.name, names);
    std::string help;
    if (wanted.kind == PathStep::Kind::element && !nearest.empty()) {
      help = fmt::format("did you mean `{}`?", nearest);
    } else if (!list.items.empty()) {
      names.resize(std::min(names.size(), most));
      help = (list.items.size() == 1
                  ? std::string("it has one element, 0")
                  : fmt::format("it has {} elements, 0 to {}", list.items.size(), list.items.size() - 1)) +
             fmt::format("{}{}", names.empty() ? "" : ": ", fmt::join(names, ", "));
    }
    const bool condition = wanted.kind == PathStep::Kind::elements_where;
    return problem(step,
                   condition ? fmt::format("no element of {} has {} {}", before(step), in_ticks(wanted.name),
                                           in_ticks(wanted.value))
                             : fmt::format("{} has no element {}", before(step), in_ticks(wanted.name)),
                   "no such element", std::move(help));
  }

  const Path& path_;
  const Node& value_;
};

}  // namespace

std::optional<PathProblem> assign(Node& root, const Path& path, const Node& value) {
  return Assignment(path, value).put(root, 0);
}

}  // namespace spillway::sweep
