#include "models/envoy/api/check_document.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/api_tables.hpp"
#include "models/envoy/api/api_values.hpp"
#include "models/envoy/api/extension_points.hpp"
#include "models/envoy/api/field_rules.hpp"
#include "models/envoy/api/message_view.hpp"
#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {
namespace {

using documents::Member;
using documents::Node;

// The scalar in a wrapper such as google.protobuf.UInt32Value; `message` if the type is no wrapper.
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

bool is_number_kind(Kind kind) {
  return kind == Kind::int32 || kind == Kind::int64 || kind == Kind::uint32 || kind == Kind::uint64 ||
         kind == Kind::floating;
}

class Walker {
 public:
  explicit Walker(Diagnostics& problems) : problems_(problems), document_{problems} {}

  void walk_root(const Node& root, std::string_view message) {
    if (message == "envoy.config.bootstrap.v3.Bootstrap") {
      document_.is_bootstrap = true;
      for (const MessageView& cluster : MessageView(root).message("static_resources").items("clusters")) {
        document_.clusters.insert(cluster.text("name"));
      }
    }
    walk_message(root, message, true);
  }

 private:
  // Checks a message of a type, unless the tables do not have the type.
  void walk_message(const Node& node, std::string_view type_name, bool rules) {
    const ApiMessage* const type = tables_.message(type_name);
    if (type == nullptr) {
      return;
    }
    if (node.kind != documents::Kind::object) {
      expect(node, "an object");
      return;
    }
    const std::size_t before = problems_.size();
    std::vector<const Member*> found(type->fields.size(), nullptr);
    for (const Member& member : node.members) {
      take_member(member, *type, found, rules);
    }
    if (rules) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        check_rules(type->fields[i], found[i], node);
      }
      check_required_oneofs(*type, found, node);
    }
    if (problems_.size() == before && rules) {
      check_extension_points(MessageView(node), type->name, document_);
      if (const MessageCheck check = check_of(type->name)) {
        check(MessageView(node), document_);
      }
    }
  }

  void take_member(const Member& member, const ApiMessage& type, std::vector<const Member*>& found, bool rules) {
    const auto position = type.position(member.key);
    if (!position) {
      if (member.key != "@type") {
        report_unknown(member, type);
      }
      return;
    }
    const ApiField& field = type.fields[*position];
    if (member.value.kind == documents::Kind::null && field.type != "google.protobuf.Value") {
      return;
    }
    for (std::size_t i = 0; i < found.size() && !field.oneof.empty(); ++i) {
      if (found[i] != nullptr && i != *position && type.fields[i].oneof == field.oneof) {
        problems_
            .error("SP027", member.key_span, "`{}` and `{}` are mutually exclusive", "only one of them is allowed",
                   {found[i]->key, member.key})
            .note("`{}` is in {}", {found[i]->key, place(found[i]->key_span)});
      }
    }
    found[*position] = &member;
    if (field.disallowed) {
      problems_.error("SP028", member.key_span, "`{}` is a key of an older Envoy", "Envoy refuses it", {member.key});
      return;
    }
    document_.around.push_back(type.name);
    // Policies are read without the rules of what they share.
    const bool has_rules = !field.type.starts_with("envoy.extensions.load_balancing_policies.common.v3.");
    walk_field(member.value, field, rules && has_rules && !field.rules.skip);
    document_.around.pop_back();
  }

  void report_unknown(const Member& member, const ApiMessage& type) {
    Diagnostic& problem =
        problems_.error("SP020", member.key_span, "unknown key `{}`", "no such key here", {member.key});
    std::vector<std::string> names;
    for (const ApiField& field : type.fields) {
      names.emplace_back(field.name);
    }
    std::string meant = grammar::nearest(member.key, names);
    if (!meant.empty()) {
      problem.helps.push_back("did you mean " + in_ticks(meant) + "?");
    } else {
      problem.note("Envoy's message is `{}`", {type.name});
    }
  }

  void expect(const Node& node, std::string_view what) {
    problems_.error("SP022", node.span, "expected {0}, found {1}", "expected {0}",
                    {what, documents::describe_kind(node.kind)});
  }

  void walk_field(const Node& value, const ApiField& field, bool rules) {
    if (field.shape == Shape::map) {
      if (value.kind != documents::Kind::object) {
        expect(value, "an object");
      }
      for (const Member& entry : value.members) {
        walk_value(entry.value, field, rules);
      }
    } else if (field.shape == Shape::list && value.kind == documents::Kind::array) {
      for (const Node& item : value.items) {
        // Envoy takes lists in lists as one list.
        item.kind == documents::Kind::array ? walk_field(item, field, rules) : walk_value(item, field, rules);
      }
    } else {
      walk_value(value, field, rules);
    }
  }

  void walk_value(const Node& value, const ApiField& field, bool rules) {
    if (value.kind == documents::Kind::null && (field.kind != Kind::message || field.shape == Shape::map)) {
      return;
    }
    if (field.kind == Kind::message) {
      walk_typed(value, field.type, rules);
    } else if (field.kind == Kind::enumeration) {
      walk_enum(value, field);
    } else {
      walk_scalar(value, field.kind);
    }
  }

  void walk_scalar(const Node& value, Kind kind) {
    if (const std::string_view wanted = fault_of(value, kind); !wanted.empty()) {
      expect(value, wanted);
    }
  }

  void walk_enum(const Node& value, const ApiField& field) {
    const ApiEnum* const type = tables_.enumeration(field.type);
    if (type == nullptr) {
      return;
    }
    const auto number = enum_number_of(value, *type);
    if (number) {
      for (const EnumValue& known : type->values) {
        if (known.disallowed && static_cast<double>(known.number) == *number) {
          problems_.error("SP028", value.span, "`{}` is a value of an older Envoy", "Envoy refuses it", {known.name});
        }
      }
      return;
    }
    if (value.kind != documents::Kind::string) {
      expect(value, "a word");
      return;
    }
    std::vector<std::string> names;
    for (const EnumValue& known : type->values) {
      names.emplace_back(known.name);
    }
    Diagnostic& problem = problems_.error("SP025", value.span, "unknown value `{}`", "no value of `{}`",
                                          {value.text, std::string_view(field.name)});
    problem.label = "no value of " + in_ticks(field.name);
    if (std::string meant = grammar::nearest(value.text, names); !meant.empty()) {
      problem.helps.push_back("did you mean " + in_ticks(meant) + "?");
    }
  }

  // Checks a message that may have a JSON form of its own.
  void walk_typed(const Node& value, std::string_view type, bool rules) {
    constexpr std::string_view package = "google.protobuf.";
    if (!type.starts_with(package)) {
      if (value.kind == documents::Kind::null) {
        const Node empty = [&] {
          Node node;
          node.kind = documents::Kind::object;
          node.span = value.span;
          return node;
        }();
        walk_message(empty, type, rules);
        return;
      }
      walk_message(value, type, rules);
      return;
    }
    if (const Kind kind = wrapped_kind(type); kind != Kind::message) {
      walk_wrapper(value, kind);
      return;
    }
    const std::string_view name = type.substr(package.size());
    if (name == "Any") {
      walk_any(value);
    } else if (name == "Duration") {
      walk_duration(value);
    } else if ((name == "Struct" || name == "Empty") && value.kind != documents::Kind::object) {
      expect(value, "an object");
    } else if (name == "ListValue" && value.kind != documents::Kind::array) {
      expect(value, "a list");
    }
  }

  void walk_duration(const Node& value) {
    // The longest that Envoy takes: nanoseconds of 63 bits.
    constexpr double longest = 9'223'372'036.0;
    const auto seconds = seconds_of(value);
    if (!seconds) {
      problems_.error("SP024", value.span, "not a duration", "Envoy takes seconds, such as `1.5s`");
    } else if (*seconds < 0 || *seconds > longest) {
      if (document_.around.empty() ||
          document_.around.back() != "envoy.extensions.load_balancing_policies.common.v3.SlowStartConfig") {
        document_.refuse(value.span, *seconds < 0 ? "Invalid duration: Expected positive duration"
                                                  : "Invalid duration: Duration out-of-range");
      }
    }
  }

  void walk_wrapper(const Node& value, Kind kind) {
    if (value.kind != documents::Kind::object) {
      walk_scalar(value, kind);
      return;
    }
    for (const Member& member : value.members) {
      if (member.key == "value") {
        walk_scalar(member.value, kind);
      } else {
        problems_.error("SP020", member.key_span, "unknown key `{}`", "only `value` is allowed", {member.key});
      }
    }
  }

  void walk_any(const Node& value) {
    if (value.kind != documents::Kind::object) {
      expect(value, "an object");
      return;
    }
    const Member* const type_url = value.find("@type");
    if (type_url == nullptr) {
      if (!value.members.empty()) {
        problems_.error("SP021", value.span, "missing key `@type`", "has no `@type`");
      }
      return;
    }
    if (type_url->value.kind != documents::Kind::string || type_url->value.text.find('/') == std::string::npos) {
      problems_.error("SP024", type_url->value.span, "not the type of a message",
                      "Envoy takes `type.googleapis.com/` and the message's name");
      return;
    }
    const std::string_view type = after_slash(type_url->value.text);
    if (is_typed_struct(type)) {
      walk_typed_struct(value);
    } else if (type.starts_with("google.protobuf.")) {
      if (const Node* const inner = MessageView(value).find("value")) {
        walk_typed(*inner, type, true);
      }
    } else {
      walk_message(value, type, true);
    }
  }

  void walk_typed_struct(const Node& value) {
    const MessageView view(value);
    const std::string type(after_slash(view.text("type_url")));
    if (const Node* const message = view.find("value")) {
      walk_message(*message, type, true);
    }
  }

  void check_required_oneofs(const ApiMessage& type, const std::vector<const Member*>& found, const Node& object) {
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

  static std::string listed_names(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + in_ticks(names[i]);
    }
    return text;
  }

  void check_rules(const ApiField& field, const Member* member, const Node& object) {
    const Rules& rules = field.rules;
    if (member == nullptr) {
      check_unset(field, object);
      return;
    }
    if (field.shape == Shape::list) {
      check_list(field, member->value);
    } else if (field.shape == Shape::map) {
      report(check_count(member->value.members.size(), rules), field, member->value.span);
      for (const Member& entry : member->value.members) {
        if (rules.keys) {
          report(check_text(entry.key, *rules.keys), field, entry.key_span);
        }
        if (rules.values) {
          check_value(field, *rules.values, entry.value);
        }
      }
    } else {
      check_value(field, rules, member->value);
    }
  }

  // Rules hold for the default value too, except in a oneof and for messages.
  void check_unset(const ApiField& field, const Node& object) {
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
      check_unset_enum(field, object);
    } else if (field.kind == Kind::string || field.kind == Kind::bytes) {
      broken = check_text("", field.rules);
    } else if (field.kind == Kind::boolean && field.rules.constant == "true") {
      broken.code = "SP021";
    }
    if (!broken.code.empty()) {
      problems_.error("SP021", object.span, "missing key `{0}`", "has no `{0}`", {field.name});
    }
  }

  void check_unset_enum(const ApiField& field, const Node& object) {
    const ApiEnum* const type = field.kind == Kind::enumeration ? tables_.enumeration(field.type) : nullptr;
    if (type != nullptr && !type->values.empty() && type->values.front().disallowed) {
      problems_.error("SP021", object.span, "missing key `{0}`", "has no `{0}`, and Envoy refuses the default",
                      {field.name});
    }
  }

  void check_list(const ApiField& field, const Node& value) {
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

  void check_value(const ApiField& field, const Rules& rules, const Node& value) {
    if (field.kind == Kind::message) {
      check_typed(field, rules, value);
    } else {
      check_scalar(field, rules, field.kind, &value, value.span);
    }
  }

  // Wrappers and durations have the rules of their value.
  void check_typed(const ApiField& field, const Rules& rules, const Node& value) {
    if (field.type == "google.protobuf.Duration") {
      if (const auto seconds = seconds_of(value)) {
        report(check_number(*seconds, rules), field, value.span);
      }
    } else if (const Kind kind = wrapped_kind(field.type); kind != Kind::message) {
      const Node* const inner = value.kind == documents::Kind::object ? MessageView(value).find("value") : &value;
      check_scalar(field, rules, kind, inner, value.span);
    }
  }

  // `value` is null for the default value.
  void check_scalar(const ApiField& field, const Rules& rules, Kind kind, const Node* value, Span where) {
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

  void check_enum(const ApiField& field, const Rules& rules, const Node* value, Span where) {
    const ApiEnum* const type = tables_.enumeration(field.type);
    const auto number = type == nullptr    ? std::nullopt
                        : value == nullptr ? std::optional(0.0)
                                           : enum_number_of(*value, *type);
    if (!number) {
      return;
    }
    const bool known = std::any_of(type->values.begin(), type->values.end(), [&](const EnumValue& entry) {
      return static_cast<double>(entry.number) == *number;
    });
    if (rules.defined_only && !known) {
      report({"SP025", "must be the number of a value that Envoy knows"}, field, where);
    } else {
      report(check_number(*number, rules), field, where);
    }
  }

  void report(const BrokenRule& broken, const ApiField& field, Span where) {
    if (!broken.code.empty()) {
      problems_.error(broken.code, where, "Envoy refuses this value of `{0}`", "{1}", {field.name, broken.label});
    }
  }

  Tables tables_;
  Diagnostics& problems_;
  CheckedDocument document_;
};

}  // namespace

void check_document(const documents::Node& root, std::string_view message, Diagnostics& problems) {
  Walker(problems).walk_root(root, message);
}

}  // namespace spillway::api
