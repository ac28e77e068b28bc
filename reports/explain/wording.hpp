// Words and numbers of explanations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"
#include "reports/explain/explanation.hpp"

namespace spillway::envoy {
struct PriorityChoice;  // priority_load.hpp
}  // namespace spillway::envoy

namespace spillway::reports::explain {

// Formats with at most twelve significant digits: "60", "0.966".
[[nodiscard]] std::string number_text(double number);

// Returns "1 endpoint", "10 endpoints".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

// Return "P1", and "P1 degraded" or "P1 all hosts".
[[nodiscard]] std::string priority_text(config::Priority priority);
[[nodiscard]] std::string choice_text(envoy::PriorityChoice choice);

// Returns "a, b, c and 7 more".
[[nodiscard]] std::string some_of(const std::vector<std::string>& names, std::size_t most = 4);

[[nodiscard]] inline Fact words(std::string subject, std::string note) {
  return {.subject = std::move(subject), .note = std::move(note)};
}
[[nodiscard]] inline Fact formula(std::string subject, std::string text, double value, std::string note = "") {
  return {.subject = std::move(subject), .formula = std::move(text), .value = value, .note = std::move(note)};
}

// Returns "failover.yaml:33"; empty if no file contains the span.
[[nodiscard]] std::string place_in_file(const Sources& sources, const Span& where);

// Sources of the rules.
namespace source {
inline constexpr const char* load_balancer = "Envoy load_balancer_impl.cc";
[[nodiscard]] std::string envoy(std::string_view section);      // of docs/behaviour/envoy-before-pick.md
[[nodiscard]] std::string host_pick(std::string_view section);  // of docs/behaviour/envoy-host-pick.md
[[nodiscard]] std::string kuma(std::string_view section);       // of docs/behaviour/kuma.md
[[nodiscard]] std::string istio(std::string_view section);      // of docs/behaviour/istio.md
}  // namespace source

}  // namespace spillway::reports::explain
