#include "models/envoy/api/check_document.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/api_tables.hpp"
#include "models/envoy/api/api_values.hpp"
#include "models/envoy/api/extension_points.hpp"
#include "models/envoy/api/message_view.hpp"
#include "models/envoy/api/refused_messages.hpp"
#include "models/envoy/api/rule_checker.hpp"

namespace spillway::api {
namespace {

using documents::Member;
using documents::Node;

// True for messages that Envoy does not validate when it builds what they configure: those of most policies. It
// validates that of a retry priority at the first retry.
bool is_without_rules(std::string_view type) {
  constexpr std::array packages =
      std::to_array<std::string_view>({"envoy.extensions.retry.priority.", "envoy.extensions.internal_redirect.",
                                       "envoy.extensions.transport_sockets.tls.v3.SPIFFECertValidatorConfig"});
  if (std::any_of(packages.begin(), packages.end(), [&](std::string_view one) { return type.starts_with(one); })) {
    return true;
  }
  constexpr std::string_view policies = "envoy.extensions.load_balancing_policies.";
  return type.starts_with(policies) && !type.substr(policies.size()).starts_with("override_host.");
}

// True for types of clusters that Envoy finds by their name if there is no message.
bool is_found_by_name(const ExtensionPoint& point) {
  constexpr std::string_view package = "envoy.cluster.";
  constexpr std::array names = std::to_array<std::string_view>({"static", "strict_dns", "logical_dns", "dns"});
  return point.categories == "envoy.clusters" && point.name.starts_with(package) &&
         std::find(names.begin(), names.end(), std::string_view(point.name).substr(package.size())) != names.end();
}

// True if an extension has to be named there by its message.
bool needs_extension(const ExtensionPoint& point) {
  // Envoy has a request id extension of its own, which it takes if none is named.
  return !point.optional && !point.categories.empty() && point.categories != "envoy.request_id" &&
         !find_extension(point.categories, "").taken && !is_found_by_name(point);
}

class Walker {
 public:
  Walker(Tables& tables, Diagnostics& problems)
      : tables_(tables), problems_(problems), rules_(tables, problems), document_{problems} {}

  // Checks a message of a type, unless the tables do not have the type. `any`: it says its type itself.
  void walk_message(const Node& node, std::string_view type_name, bool asked, bool any = false) {
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
    asked = asked && !node.reported;
    const bool rules = asked && !is_without_rules(type->name);
    const ExtensionPoint around = std::exchange(point_, {});
    const ExtensionPoint point{around.categories, MessageView(node).text("name"),
                               around.optional || may_be_missing(MessageView(node)), around.unread};
    for (const Member& member : node.members) {
      if (!any || member.key != "@type") {
        take_member(member, *type, found, rules, point);
      }
    }
    point_ = {};
    if (rules) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        rules_.check(type->fields[i], found[i], node);
      }
      rules_.check_required_oneofs(*type, found, node);
    }
    // Envoy's code never comes to the endpoints of such a list.
    const bool is_used = !document_.is_within("envoy.config.endpoint.v3.LocalityLbEndpoints.LbEndpointList");
    if (problems_.size() == before && asked && is_used) {
      check_missing_extension(node, *type, found, point);
      if (const MessageCheck check = check_of(type->name)) {
        check(MessageView(node), document_);
      }
    }
  }

  // Checks the value of a field that is set.
  void walk_set(const Node& value, const ApiField& field) {
    if (value.kind == documents::Kind::null) {
      return;
    }
    const std::size_t before = problems_.size();
    document_.reports_unknown_messages = false;
    point_ = point_of(field, {});
    walk_field(value, field, !field.rules.skip);
    if (!value.reported && problems_.size() == before) {
      rules_.check_set(field, value);
    }
  }

  void walk_root(const Node& root, std::string_view message) {
    if (message == "envoy.config.bootstrap.v3.Bootstrap") {
      document_.bootstrap = MessageView(root);
      for (const MessageView& cluster : MessageView(root).message("static_resources").items("clusters")) {
        document_.clusters.insert(cluster.text("name"));
      }
    }
    // Resources may be given as an Any.
    walk_message(root, message, true, message != "envoy.config.bootstrap.v3.Bootstrap");
  }

 private:
  // Returns the place for an extension that a field is, in a message that is a place for `around`.
  static ExtensionPoint point_of(const ApiField& field, const ExtensionPoint& around) {
    const bool inherits = field.type == "google.protobuf.Any" && !around.categories.empty();
    return {inherits ? around.categories : field.category, around.name, around.optional, field.unread || around.unread};
  }

  // Checks that an extension is given, where none of the rules says so.
  void check_missing_extension(const Node& node, const ApiMessage& type, const std::vector<const Member*>& found,
                               const ExtensionPoint& around) {
    const bool is_disabled_cache =
        type.name.starts_with("envoy.extensions.filters.http.cache") && MessageView(node).flag("disabled");
    for (std::size_t i = 0; i < found.size(); ++i) {
      const ApiField& field = type.fields[i];
      const ExtensionPoint point = point_of(field, around);
      if (found[i] == nullptr && field.name == "typed_config" && field.type == "google.protobuf.Any" &&
          needs_extension(point) && !is_disabled_cache) {
        refuse_missing_extension(node.span, point, "", document_);
      }
      if (field.name == "typed_config" && field.type == "google.protobuf.Any") {
        check_discovered(MessageView(node), point, document_);
      }
    }
  }

  void take_member(const Member& member, const ApiMessage& type, std::vector<const Member*>& found, bool rules,
                   const ExtensionPoint& around) {
    const auto position = type.position(member.key);
    if (!position) {
      report_unknown(member, type);
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
    if (field.disallowed && !member.value.reported) {
      problems_.error("SP028", member.key_span, "`{}` is a key of an older Envoy", "Envoy refuses it", {member.key});
      return;
    }
    document_.around.push_back(type.name);
    point_ = point_of(field, around);
    walk_field(member.value, field, rules && !field.rules.skip);
    document_.around.pop_back();
  }

  void report_unknown(const Member& member, const ApiMessage& type) {
    if (member.value.reported) {
      problems_.warning("SP232", member.key_span, "an unknown field", "`{}` is left out", {member.key})
          .note("another version of Envoy knows it; its effect is not simulated");
      return;
    }
    Diagnostic& problem =
        problems_.error("SP020", member.key_span, "unknown key `{}`", "no such key here", {member.key});
    if (problems_.size() > grammar::most_with_suggestions) {
      return;
    }
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
      const ExtensionPoint point = point_;
      for (const Member& entry : value.members) {
        point_ = {.categories = point.categories, .name = entry.key, .unread = point.unread};
        walk_value(entry.value, field, rules);
      }
    } else if (field.shape == Shape::list && value.kind == documents::Kind::array) {
      const ExtensionPoint point = point_;
      for (const Node& item : value.items) {
        point_ = point;
        walk_value(item, field, rules);
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
        if (known.disallowed && known.number != 0 && static_cast<double>(known.number) == *number) {
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
    } else if (*seconds < 0 || *seconds >= longest) {
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
    const ExtensionPoint point = std::exchange(point_, {});
    if (value.kind != documents::Kind::object) {
      expect(value, "an object");
      return;
    }
    const Member* const type_url = value.find("@type");
    if (type_url == nullptr) {
      if (!value.members.empty()) {
        problems_.error("SP021", value.span, "missing key `@type`", "has no `@type`");
      } else if (needs_extension(point) && document_.around.back() != "envoy.config.route.v3.FilterConfig") {
        refuse_missing_extension(value.span, point, "", document_);
      }
      return;
    }
    if (type_url->value.kind != documents::Kind::string || type_url->value.text.find('/', 1) == std::string::npos) {
      problems_.error("SP024", type_url->value.span, "not the type of a message",
                      "Envoy takes `type.googleapis.com/` and the message's name");
      return;
    }
    const std::string_view type = after_slash(type_url->value.text);
    const bool around_is_unread = std::exchange(unread_, unread_ || point.unread);
    walk_extension(value, type, point);
    unread_ = around_is_unread;
  }

  // Checks the message of an Any.
  void walk_extension(const Node& value, std::string_view type, const ExtensionPoint& point) {
    const std::size_t before = problems_.size();
    const std::string read_as = unread_ || type == "envoy.config.route.v3.FilterConfig"
                                    ? std::string(type)
                                    : check_extension(value, point, document_);
    if (problems_.size() > before) {
      return;
    }
    if (is_typed_struct(type)) {
      walk_typed_struct(value);
    } else if (type.starts_with("google.protobuf.")) {
      if (const Node* const inner = MessageView(value).find("value")) {
        walk_typed(*inner, type, true);
      }
    } else {
      walk_message(value, read_as, !unread_, true);
    }
  }

  void walk_typed_struct(const Node& value) {
    const MessageView view(value);
    const std::string type(after_slash(view.text("type_url")));
    if (const Node* const message = view.find("value")) {
      walk_message(*message, type, true, true);
    }
  }

  Tables& tables_;
  Diagnostics& problems_;
  RuleChecker rules_;
  CheckedDocument document_;
  ExtensionPoint point_;  // that the value walked next is
  bool unread_ = false;   // within a message that Envoy keeps unread
};

Tables& tables_of_thread() {
  static thread_local Tables tables;
  return tables;
}

}  // namespace

void check_document(const documents::Node& root, std::string_view message, Diagnostics& problems) {
  Walker(tables_of_thread(), problems).walk_root(root, message);
}

void check_message(const documents::Node& node, std::string_view message, Diagnostics& problems) {
  Walker(tables_of_thread(), problems).walk_message(node, message, true, true);
}

void check_field(const documents::Node& value, const ApiField& field, Diagnostics& problems) {
  Walker(tables_of_thread(), problems).walk_set(value, field);
}

}  // namespace spillway::api
