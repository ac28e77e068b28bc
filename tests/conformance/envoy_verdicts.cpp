#include "tests/conformance/envoy_verdicts.hpp"

#include <stdexcept>

#include "sim/scenario/binding/envoy/envoy_verdict.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"

namespace spillway::conformance {

bool is_verdict_case(const json& test_case) {
  return test_case.contains("bootstrap") && test_case.contains("envoy");
}

std::vector<std::string> replay_verdict(const json& test_case) {
  const auto verdict = test_case.at("envoy").get<std::string>();
  if (verdict != "accepts" && verdict != "refuses") {
    throw std::invalid_argument("unknown verdict " + verdict);
  }
  proxy::EnvoyOptions options;
  options.checked = true;
  const auto proxy = scenario::ProxyConfiguration::read(
      Sources{{.name = "bootstrap.json", .text = test_case.at("bootstrap").dump()}}, options);
  const Diagnostics found = scenario::refusals_of(proxy);
  if (found.empty() == (verdict == "accepts")) {
    return {};
  }
  return {found.empty()
              ? "Envoy refuses it: " + test_case.value("words", std::string())
              : "Envoy accepts it: " + found.front().code + " " + found.front().message + ", " + found.front().label};
}

}  // namespace spillway::conformance
