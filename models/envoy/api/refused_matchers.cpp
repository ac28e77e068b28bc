#include "models/envoy/api/refused_matchers.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "models/envoy/api/api_tables.hpp"

namespace spillway::api {
namespace {

constexpr std::string_view header_input = "envoy.type.matcher.v3.HttpRequestHeaderMatchInput";
constexpr std::string_view cel_input = "xds.type.matcher.v3.HttpAttributesCelMatchInput";

bool is_http_input(std::string_view type) {
  return type.starts_with("envoy.type.matcher.v3.Http");
}

// The inputs of an owner of matchers: those of some categories, of which its code takes not all.
struct Inputs {
  std::string_view owner;  // the message, or how the names of several messages begin
  std::string_view categories;
  bool (*takes)(std::string_view type);
  std::string_view actions;  // the messages that an action may be, with commas between; "" for any
  const char* words = "";    // of Envoy before the type of an input
  const char* end = "";
};

bool takes_all(std::string_view /*type*/) {
  return true;
}

// Source: matcher_visitor.cc of the router, rbac_filter.cc of both RBAC filters, and every input asked of a real Envoy
// 1.40 in each of these places. The first that fits counts.
constexpr std::array inputs = std::to_array<Inputs>({
    {"envoy.config.route.v3.VirtualHost", "envoy.matching.common_inputs,envoy.matching.http.input",
     [](std::string_view type) { return type == header_input || type.ends_with("network.v3.FilterStateInput"); },
     "envoy.config.route.v3.Route,envoy.config.route.v3.RouteList",
     "Route table can only match on request headers, saw type.googleapis.com/"},
    {"envoy.extensions.filters.http.rbac.v3.RBAC", "envoy.matching.common_inputs,envoy.matching.http.input",
     [](std::string_view type) {
       return type == header_input || (!is_http_input(type) && !type.ends_with(".SourceTypeInput"));
     },
     "envoy.config.rbac.v3.Action", "RBAC HTTP filter cannot match on 'type.googleapis.com/", "'"},
    {"envoy.extensions.filters.network.rbac.v3.RBAC", "envoy.matching.common_inputs,envoy.matching.http.input",
     [](std::string_view type) {
       return !is_http_input(type) && type != cel_input && !type.ends_with(".SourceTypeInput") &&
              !type.ends_with(".DynamicMetadataInput");
     },
     "envoy.config.rbac.v3.Action", "RBAC network filter cannot match 'type.googleapis.com/", "'"},
    {"envoy.config.listener.v3.Listener", "envoy.matching.common_inputs,envoy.matching.network.input", takes_all,
     "google.protobuf.StringValue"},
    {"envoy.config.cluster.v3.Cluster", "envoy.matching.common_inputs,envoy.matching.transport_socket.input", takes_all,
     "envoy.config.core.v3.SubstitutionFormatString,envoy.extensions.matching.common_inputs.transport_socket.v3."
     "TransportSocketNameAction"},
    {"envoy.extensions.filters.http.", "envoy.matching.common_inputs,envoy.matching.http.input", takes_all, ""},
    {"envoy.extensions.common.matching.", "envoy.matching.common_inputs,envoy.matching.http.input", takes_all,
     "envoy.extensions.filters.common.matcher.action.v3.SkipFilter,envoy.extensions.filters.http.composite.v3."
     "ExecuteFilterAction"},
});

// Returns the message whose matcher this is a part of.
std::string_view owner_of(const CheckedDocument& document) {
  const auto found = std::find_if(document.around.rbegin(), document.around.rend(), [](std::string_view type) {
    return !type.starts_with("xds.type.matcher.") && !type.starts_with("envoy.config.common.matcher.") &&
           !type.ends_with(".TypedExtensionConfig");
  });
  return found == document.around.rend() ? std::string_view() : *found;
}

// Returns what a matcher may have at this place; null if that is unknown.
const Inputs* inputs_here(const CheckedDocument& document) {
  const std::string_view owner = owner_of(document);
  const auto* const rule =
      std::find_if(inputs.begin(), inputs.end(), [&](const Inputs& each) { return owner.starts_with(each.owner); });
  return rule == inputs.end() ? nullptr : rule;
}

void refuse_type(const MessageView& extension, const std::string& type, CheckedDocument& document) {
  document.refuse(extension.node().span, "Didn't find a registered implementation for '" + extension.text("name") +
                                             "' with type URL: '" + type + "'");
}

void check_action(const MessageView& match, CheckedDocument& document) {
  const std::string_view owner = owner_of(document);
  if (match.flag("keep_matching") &&
      (owner == "envoy.config.route.v3.VirtualHost" || owner.ends_with("rbac.v3.RBAC"))) {
    document.refuse(match.place("keep_matching"), "keep_matching is not supported in this context");
  }
  const MessageView action = match.message("action");
  const std::string type = action.message("typed_config").any_type();
  const Inputs* const rule = inputs_here(document);
  if (rule == nullptr || rule->actions.empty() || type.empty() || !is_known_message(type)) {
    return;
  }
  for (std::string_view known = rule->actions; !known.empty();) {
    const std::size_t end = std::min(known.find(','), known.size());
    if (known.substr(0, end) == type) {
      return;
    }
    known.remove_prefix(std::min(end + 1, known.size()));
  }
  refuse_type(action, type, document);
}

void check_input(const MessageView& matcher, CheckedDocument& document) {
  const MessageView input = matcher.message("input");
  const std::string type = input.message("typed_config").any_type();
  const Inputs* const rule = inputs_here(document);
  if (rule == nullptr || type.empty() || !is_known_message(type) ||
      find_extension("envoy.matching.common_inputs", type).taken) {
    return;
  }
  if (!find_extension(rule->categories, type).taken) {
    refuse_type(input, type, document);
  } else if (!rule->takes(type)) {
    document.refuse(input.node().span, rule->words + type + rule->end);
  } else if (type == cel_input && (matcher.has("exact_match_map") || matcher.has("prefix_match_map"))) {
    document.refuse(input.node().span,
                    "Unsupported data input type: cel_data_input, currently only string type is supported in map "
                    "matcher");
  }
}

}  // namespace

std::span<const RefusedMessage> refused_in_matchers() noexcept {
  static constexpr auto messages = std::to_array<RefusedMessage>({
      {"xds.type.matcher.v3.Matcher.MatcherTree", check_input},
      {"xds.type.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate", check_input},
      {"xds.type.matcher.v3.Matcher.OnMatch", check_action},
      {"envoy.config.common.matcher.v3.Matcher.OnMatch", check_action},
      {"envoy.config.common.matcher.v3.Matcher.MatcherTree", check_input},
      {"envoy.config.common.matcher.v3.Matcher.MatcherList.Predicate.SinglePredicate", check_input},
  });
  return messages;
}

}  // namespace spillway::api
