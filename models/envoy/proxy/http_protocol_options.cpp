#include "models/envoy/proxy/http_protocol_options.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/check_document.hpp"
#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/http_protocol_options.hpp"
#include "models/envoy/proxy/cluster_config.hpp"

namespace spillway::proxy {
namespace {

using grammar::Field;

constexpr std::string_view older_http_name = "envoy.upstreams.http.http_protocol_options";
constexpr std::string_view reverse_tunnel_options =
    "envoy.extensions.upstreams.http.reverse_tunnel.v3.ReverseTunnelUpstreamCodecOptions";
constexpr std::string_view tcp_options = "envoy.extensions.upstreams.tcp.v3.TcpProtocolOptions";

struct NamedOptions {
  std::string_view name;
  std::string_view message;
};

// The names under which Envoy 1.40 accepts protocol options, each with its message type. Source: --mode validate.
constexpr std::array named_options = std::to_array<NamedOptions>({
    {http_protocol_options_name, http_protocol_options_name},
    {older_http_name, http_protocol_options_name},
    {tcp_options, tcp_options},
    {"envoy.upstreams.tcp.tcp_protocol_options", tcp_options},
    {reverse_tunnel_options, reverse_tunnel_options},
    {"envoy.filters.network.thrift_proxy", "envoy.extensions.filters.network.thrift_proxy.v3.ThriftProtocolOptions"},
    {"envoy.filters.network.redis_proxy", "envoy.extensions.filters.network.redis_proxy.v3.RedisProtocolOptions"},
});

// True if Envoy accepts the options under this name; otherwise reports why not.
bool check_name(const std::string& name, const Field<messages::AnyMessage>& options, Diagnostics& problems) {
  const auto* const known =
      std::find_if(named_options.begin(), named_options.end(), [&](const NamedOptions& of) { return of.name == name; });
  if (known == named_options.end()) {
    std::vector<std::string> names;
    for (const NamedOptions& of : named_options) {
      names.emplace_back(of.name);
    }
    problems
        .error("SP139", options.key, "Envoy refuses these protocol options",
               "there are no protocol options called `{}`", {name})
        .note("the names are {}", {grammar::listed(names, "and")});
    return false;
  }
  if (options->type != known->message) {
    problems.push_back(messages::wrong_type(*options, options.where, "must be " + std::string(known->message)));
    return false;
  }
  return true;
}

}  // namespace

void read_http_protocol_options(const messages::Cluster& written, ClusterConfig& config, Diagnostics& problems) {
  envoy::Cluster& cluster = config.cluster;
  for (const auto& entry : *written.typed_extension_protocol_options) {
    if (!entry.value || !check_name(entry.name, entry.value, problems)) {
      continue;
    }
    if (entry.value->type != http_protocol_options_name) {
      api::check_message(*entry.value->node, entry.value->type, problems);
      continue;
    }
    auto options = messages::read_any<messages::HttpProtocolOptions>(*entry.value, problems);
    if (entry.name == older_http_name) {
      problems
          .warning("SP230", entry.value.key, "protocol options that Envoy ignores",
                   "accepted under this older name, and ignored")
          .help("write `{}`", {http_protocol_options_name});
      continue;
    }
    cluster.http2 = options.http2;
    cluster.max_stream_duration = options.common_http_protocol_options.max_stream_duration;
    cluster.error_statuses = options.outlier_detection.error_matcher;
    config.request_policies = {std::move(options.retry_policy), std::move(options.hash_policy), entry.value.key};
  }
}

}  // namespace spillway::proxy
