#include "models/envoy/proxy/cluster_refusals.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/endpoints.hpp"
#include "models/envoy/proxy/http_protocol_options.hpp"
#include "models/envoy/proxy/ip_address.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

Diagnostic refused_cluster(Span where, std::string reason) {
  return error("SP139", where, "Envoy refuses this cluster", "{}", {reason});
}

// True if a message has a field with one of these names, in either spelling.
bool has_field(const Node& object, std::initializer_list<std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) {
    return object.find(key) != nullptr || object.find(grammar::lower_camel_case(key)) != nullptr;
  });
}

bool speaks_http2(const Node& options) {
  if (has_field(options, {"auto_config"})) {
    return true;
  }
  return std::any_of(options.members.begin(), options.members.end(), [](const documents::Member& member) {
    return has_field(member.value, {"http2_protocol_options", "http3_protocol_options"});
  });
}

bool has_http2(const messages::WholeCluster& cluster) {
  if (cluster.source.key_of("http2_protocol_options")) {
    return true;
  }
  const auto& all = *cluster.typed_extension_protocol_options;
  return std::any_of(all.begin(), all.end(), [](const auto& options) {
    return options.name == proxy::http_protocol_options_name && options.value && speaks_http2(*options.value->node);
  });
}

class AddressChecker {
 public:
  AddressChecker(const std::string& type, Diagnostics& problems)
      : type_(type), numbers_(type == "STATIC" || type == "EDS"), problems_(problems) {}

  void check(const messages::Source& source) {
    messages::Address address;
    Diagnostics reported;
    grammar::Record<messages::Address>{}.read(*source.object, address, "address", reported);
    if (address.pipe && numbers_) {
      check_pipe(*address.pipe);
    }
    if (address.socket_address) {
      check_socket(*address.socket_address);
    }
  }

 private:
  void refuse(Span where, const std::string& reason, Severity severity = Severity::error) {
    if (type_ == "EDS") {
      problems_.warning("SP214", where, "an address that Envoy refuses", "{}", {reason})
          .note("Envoy refuses the whole load assignment, and goes on with the one before");
    } else {
      problems_.push_back(refused_cluster(where, reason));
      problems_.back().severity = severity;
    }
  }

  void check_pipe(const messages::Pipe& pipe) {
    constexpr std::size_t longest = 107;
    if (pipe.path && pipe.path->size() > longest) {
      refuse(pipe.path.where, "Path \"" + *pipe.path + "\" exceeds maximum UNIX domain socket path size of 108.");
    }
  }

  void check_socket(const messages::SocketAddress& socket) {
    if (!numbers_ && !socket.resolver_name.value_or("").empty()) {
      refuse(socket.resolver_name.where, type_ + " clusters must NOT have a custom resolver name set");
    } else if (const auto refusal = numbers_ ? proxy::refusal_as_ip(socket) : std::nullopt) {
      refuse(
          refusal->where,
          refusal->reason + ". Consider setting resolver_name or setting cluster type to 'STRICT_DNS' or 'LOGICAL_DNS'",
          refusal->severity);
    }
  }

  const std::string& type_;
  bool numbers_;
  Diagnostics& problems_;
};

}  // namespace

void refuse_cluster(const messages::WholeCluster& cluster, const std::string& type, Diagnostics& problems) {
  const bool type_known = cluster.type.present == cluster.type.given;
  if (cluster.eds_cluster_config.present && type_known && type != "EDS") {
    problems.push_back(refused_cluster(cluster.eds_cluster_config.key, "eds_cluster_config set in a non-EDS cluster"));
  }
  for (const messages::Source& check : cluster.source.items_of("health_checks")) {
    const auto grpc = check.key_of("grpc_health_check");
    if (grpc && !has_http2(cluster)) {
      problems.push_back(
          refused_cluster(*grpc, cluster.name.value_or("") + " cluster must support HTTP/2 for gRPC healthchecking"));
    }
  }
}

void refuse_addresses(const std::string& type, const messages::Source& assignment, Span where, Diagnostics& problems) {
  if (type.empty()) {
    return;
  }
  const std::vector<messages::Source> groups = assignment.items_of("endpoints");
  if (type == "LOGICAL_DNS" && (groups.size() != 1 || groups.front().items_of("lb_endpoints").size() != 1)) {
    problems.push_back(refused_cluster(
        where, "LOGICAL_DNS clusters must have a single locality_lb_endpoint and a single lb_endpoint"));
  }
  AddressChecker checker(type, problems);
  for (const messages::Source& group : groups) {
    for (const messages::Source& endpoint : group.items_of("lb_endpoints")) {
      const messages::Source address = endpoint.within("endpoint").within("address");
      if (const auto name = endpoint.key_of("endpoint_name")) {
        problems.push_back(refused_cluster(*name, "Address must be set"));
      } else if (address.object != nullptr) {
        checker.check(address);
      }
    }
  }
}

}  // namespace spillway::proxy
