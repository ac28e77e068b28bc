#include "models/istio/messages/unsimulated.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

#include "models/documents/problem.hpp"
#include "models/istio/ambient.hpp"
#include "models/istio/names.hpp"

namespace spillway::messages {

namespace {

using documents::Member;
using documents::Node;

const Member* member_at(const Node& node, std::initializer_list<const char*> path) {
  const Member* found = nullptr;
  const Node* at = &node;
  for (const char* const key : path) {
    found = at->find(key);
    if (found == nullptr) {
      return nullptr;
    }
    at = &found->value;
  }
  return found;
}

void name_ambient(const Node& labels, std::string_view kind, Diagnostics& problems) {
  const Member* const mode = labels.find(istio::dataplane_label);
  if (mode != nullptr && mode->value.text == istio::ambient_mode && kind == "Namespace") {
    problems
        .warning("SP714", mode->key_span, "ambient mode is not simulated",
                 "requests of clients in this namespace are refused")
        .note("clients with sidecars, in other namespaces, are simulated as before");
  }
  const Member* const waypoint = labels.find(istio::waypoint_label);
  if (waypoint != nullptr && waypoint->value.text != "none") {
    problems
        .warning("SP714", waypoint->key_span, "waypoints are not simulated",
                 "sends requests of ambient clients through a waypoint")
        .note("sidecars do not go through waypoints, so their requests are simulated as they are");
  }
}

void name_sessions(const Node& labels, Diagnostics& problems) {
  for (const char* const key : {istio::session_label, istio::session_header_label}) {
    if (const Member* const label = labels.find(key)) {
      problems.warning("SP724", label->key_span, "`{}` is not simulated", "keeps no session in the results", {key})
          .note(
              "it acts only if istiod runs with PILOT_ENABLE_PERSISTENT_SESSION_FILTER; then clients stay at their "
              "endpoint");
    }
  }
}

}  // namespace

void name_unsimulated(const Node& document, Diagnostics& problems) {
  const Member* const kind = document.find("kind");
  const std::string_view name = kind == nullptr ? std::string_view() : std::string_view(kind->value.text);
  constexpr std::array<std::string_view, 3> labelled = {"Namespace", "Service", "ServiceEntry"};
  const Member* const labels = member_at(document, {"metadata", "labels"});
  if (labels == nullptr || std::find(labelled.begin(), labelled.end(), name) == labelled.end()) {
    return;
  }
  name_ambient(labels->value, name, problems);
  if (name == "Service") {
    name_sessions(labels->value, problems);
  }
}

istio::Environment read_environment(const Node& document, Diagnostics& problems) {
  istio::Environment environment;
  const auto add = [&](const std::string& name, bool value, Span where) {
    if (name == "PILOT_SEND_UNHEALTHY_ENDPOINTS") {
      environment.send_unhealthy = value;
    } else if (name == "PILOT_AUTO_SEND_UNHEALTHY_ENDPOINTS") {
      environment.auto_send_unhealthy = value;
    } else {
      problems.warning("SP724", where, "`{}` of istiod's environment is not simulated",
                       "istiod is simulated with its default", {name});
    }
  };
  const auto value_of = [](const Node& node) {
    return node.kind == documents::Kind::boolean ? node.boolean : node.text == "true";
  };
  if (const Member* const env = member_at(document, {"spec", "values", "pilot", "env"})) {
    for (const Member& variable : env->value.members) {
      add(variable.key, value_of(variable.value), variable.key_span);
    }
  }
  if (const Member* const env = member_at(document, {"spec", "components", "pilot", "k8s", "env"})) {
    for (const Node& variable : env->value.items) {
      const Member* const name = variable.find("name");
      const Member* const value = variable.find("value");
      if (name != nullptr) {
        add(name->value.text, value != nullptr && value_of(value->value), name->value.span);
      }
    }
  }
  return environment;
}

void read_names(const Node& document, istio::Meta& meta) {
  if (const Member* const name = member_at(document, {"metadata", "name"})) {
    meta.name = name->value.text;
  }
  const Member* const name_space = member_at(document, {"metadata", "namespace"});
  meta.name_space = name_space == nullptr ? "default" : name_space->value.text;
}

bool is_waypoint(const Node& document) {
  const Member* const gateway_class = member_at(document, {"spec", "gatewayClassName"});
  return gateway_class != nullptr && gateway_class->value.text.find("waypoint") != std::string::npos;
}

}  // namespace spillway::messages
