#include "sim/scenario/binding/envoy/envoy_verdict.hpp"

#include <algorithm>
#include <iterator>

#include "sim/scenario/binding/envoy/proxy_configuration.hpp"

namespace spillway::scenario {

bool is_refusal(const Diagnostic& problem) {
  return problem.severity == Severity::error && problem.code != "SP136" && problem.code != "SP301" &&
         problem.code != "SP302" && problem.code != "SP303";
}

Diagnostics refusals_of(const ProxyConfiguration& proxy) {
  Diagnostics refusals;
  const auto take = [&](const Diagnostics& problems) {
    std::copy_if(problems.begin(), problems.end(), std::back_inserter(refusals), is_refusal);
  };
  take(proxy.diagnostics());
  for (const std::string& name : proxy.cluster_names()) {
    take(proxy.cluster(name).diagnostics);
  }
  return refusals;
}

}  // namespace spillway::scenario
