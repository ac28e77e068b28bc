#include "models/envoy/api/rule_checker.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/api/api_values.hpp"
#include "models/envoy/api/message_view.hpp"

namespace spillway::api {

using documents::Member;
using documents::Node;

namespace {

bool is_number_kind(Kind kind) {
  return kind == Kind::int32 || kind == Kind::int64 || kind == Kind::uint32 || kind == Kind::uint64 ||
         kind == Kind::floating;
}

std::string listed_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + in_ticks(names[i]);
  }
  return text;
}

}  // namespace

Kind wrapped_kind(std::string_view type) {
  static constexpr std::array wrappers = {
      std::pair{"BoolValue", Kind::boolean},    std::pair{"UInt32Value", Kind::uint32},
      std::pair{"UInt64Value", Kind::uint64},   std::pair{"Int32Value", Kind::int32},
      std::pair{"Int64Value", Kind::int64},     std::pair{"FloatValue", Kind::floating},
      std::pair{"DoubleValue", Kind::floating}, std::pair{"StringValue", Kind::string},
      std::pair{"BytesValue", Kind::bytes}};
  constexpr std::string_view package = "google.protobuf.";
  if (type.starts_with(package)) {
    for (const auto& [name, kind] : wrappers) {
      if (type.substr(package.size()) == name) {
        return kind;
      }
    }
  }
  return Kind::message;
}

void RuleChecker::check_required_oneofs(const ApiMessage& type, const std::vector<const Member*>& found,
                                        const Node& object) {
  for (const std::string_view oneof : type.required_oneofs) {
    std::vector<std::string> names;
    bool is_set = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (type.fields[i].oneof == oneof) {
        is_set = is_set || found[i] != nullptr;
        names.emplace_back(type.fields[i].name);
      }
    }
    if (!is_set) {
      problems_.error("SP021", object.span, "missing key: {}", "one of them is required", {listed_names(names)});
    }
  }
}

void RuleChecker::check(const ApiField& field, const Member* member, const Node& object) {
  if (member == nullptr) {
    check_unset(field, object);
  } else {
    check_set(field, member->value);
  }
}

void RuleChecker::check_set(const ApiField& field, const Node& value) {
  if (field.shape == Shape::list) {
    check_list(field, value);
  } else if (field.shape == Shape::map) {
    check_map(field, value);
  } else {
    check_value(field, field.rules, value);
  }
}

void RuleChecker::check_map(const ApiField& field, const Node& value) {
  const Rules& rules = field.rules;
  report(check_count(value.members.size(), rules), field, value.span);
  for (const Member& entry : value.members) {
    if (rules.keys) {
      report(check_text(entry.key, *rules.keys), field, entry.key_span);
    }
    if (rules.values) {
      check_value(field, *rules.values, entry.value);
    }
  }
}

// Checks an absent field: rules apply to default values too, except in a oneof and for messages.
void RuleChecker::check_unset(const ApiField& field, const Node& object) {
  if (!field.oneof.empty()) {
    return;
  }
  BrokenRule broken;
  if (field.rules.required) {
    broken.code = "SP021";
  } else if (field.shape != Shape::single) {
    broken = check_count(0, field.rules);
  } else if (is_number_kind(field.kind) || field.kind == Kind::enumeration) {
    broken = check_number(0, field.rules);
  } else if (field.kind == Kind::string || field.kind == Kind::bytes) {
    broken = check_text("", field.rules);
  } else if (field.kind == Kind::boolean && field.rules.constant == "true") {
    broken.code = "SP021";
  }
  if (!broken.code.empty()) {
    problems_.error("SP021", object.span, "missing key `{0}`", "has no `{0}`", {field.name});
  }
}

void RuleChecker::check_list(const ApiField& field, const Node& value) {
  const Rules& rules = field.rules;
  const bool single = value.kind != documents::Kind::array;
  report(check_count(single ? 1 : value.items.size(), rules), field, value.span);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < (single ? 1 : value.items.size()); ++i) {
    const Node& item = single ? value : value.items[i];
    if (rules.items) {
      check_value(field, *rules.items, item);
    }
    if (rules.unique && !seen.insert(item.text).second && item.members.empty()) {
      problems_.error("SP026", item.span, "a repeated value in `{}`", "written twice", {field.name});
    }
  }
}

void RuleChecker::check_value(const ApiField& field, const Rules& rules, const Node& value) {
  if (field.kind == Kind::message) {
    check_typed(field, rules, value);
  } else {
    check_scalar(field, rules, field.kind, &value, value.span);
  }
}

// Checks a wrapper or duration by the rules of its value.
void RuleChecker::check_typed(const ApiField& field, const Rules& rules, const Node& value) {
  if (field.type == "google.protobuf.Duration") {
    if (const auto seconds = seconds_of(value)) {
      report(check_number(*seconds, rules), field, value.span);
    }
  } else if (const Kind kind = wrapped_kind(field.type); kind != Kind::message) {
    const Node* const inner = value.kind == documents::Kind::object ? MessageView(value).find("value") : &value;
    check_scalar(field, rules, kind, inner, value.span);
  }
}

// Checks a scalar; `value` is null for the default value.
void RuleChecker::check_scalar(const ApiField& field, const Rules& rules, Kind kind, const Node* value, Span where) {
  if (value != nullptr && value->kind == documents::Kind::null) {
    value = nullptr;
  }
  if (kind == Kind::enumeration) {
    check_enum(field, rules, value, where);
  } else if (is_number_kind(kind)) {
    if (const auto number = value == nullptr ? std::optional(0.0) : number_of(*value)) {
      report(check_number(*number, rules), field, where);
    }
  } else if (kind == Kind::boolean) {
    const auto flag = value == nullptr ? std::optional(false) : boolean_of(*value);
    if (flag && rules.constant && *rules.constant != (*flag ? "true" : "false")) {
      report({"SP025", "must be `" + *rules.constant + "`"}, field, where);
    }
  } else if (value == nullptr || value->kind == documents::Kind::string) {
    report(check_text(value == nullptr ? std::string_view() : value->text, rules), field, where);
  }
}

void RuleChecker::check_enum(const ApiField& field, const Rules& rules, const Node* value, Span where) {
  const ApiEnum* const type = tables_.enumeration(field.type);
  const auto number = type == nullptr    ? std::nullopt
                      : value == nullptr ? std::optional(0.0)
                                         : enum_number_of(*value, *type);
  if (!number) {
    return;
  }
  const bool known = std::any_of(type->values.begin(), type->values.end(),
                                 [&](const EnumValue& entry) { return static_cast<double>(entry.number) == *number; });
  if (rules.defined_only && !known) {
    report({"SP025", "must be the number of a value that Envoy knows"}, field, where);
  } else {
    report(check_number(*number, rules), field, where);
  }
}

void RuleChecker::report(const BrokenRule& broken, const ApiField& field, Span where) {
  if (!broken.code.empty()) {
    problems_.error(broken.code, where, "Envoy refuses this value of `{0}`", "{1}", {field.name, broken.label});
  }
}

}  // namespace spillway::api
