#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"

#include <utility>

#include "models/documents/problem.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"

namespace spillway::scenario {
namespace {

bool nothing_to_assemble(const ProxyConfiguration& proxy) {
  return has_errors(proxy.diagnostics()) && proxy.cluster_names().empty();
}

// Warns of texts that nothing was read from.
void warn_of_others(const ProxyConfiguration& proxy, const proxy::EnvoyOptions& options, Diagnostics& problems) {
  if (!options.memberships.empty()) {
    return;
  }
  for (const std::uint32_t file : proxy.others()) {
    problems.warning("SP234", Span{file, 1, 1, 1}, "a text without a configuration", "nothing is taken from it");
  }
}

Reading read_whole(ProxyConfiguration proxy, const proxy::EnvoyOptions& options) {
  ProxyConfiguration::ClusterReading asked;
  if (!nothing_to_assemble(proxy)) {
    asked = proxy.asked();
  }
  warn_of_others(proxy, options, asked.diagnostics);
  return std::move(proxy).into_reading(std::move(asked));
}

}  // namespace

Reading read_share_input(const std::vector<std::string>& paths, const proxy::EnvoyOptions& options) {
  ProxyConfiguration proxy = ProxyConfiguration::read(paths, options);
  return proxy.is_scenario() ? std::move(proxy).into_scenario() : read_whole(std::move(proxy), options);
}

Reading read_envoy_texts(Sources sources, const proxy::EnvoyOptions& options) {
  return read_whole(ProxyConfiguration::read(std::move(sources), options), options);
}

}  // namespace spillway::scenario
