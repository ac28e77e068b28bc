// Why Envoy refuses a message, in its words, and which of its fields that is about.
//
//   refusal(ring_hash::Config{.minimum_ring_size = 20, .maximum_ring_size = 10}, Form::typed);
//   // {"ring hash: minimum_ring_size (20) > maximum_ring_size (10)", {"minimum_ring_size", "maximum_ring_size"}}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::config {

struct Reason {
  std::string text;
  // By their way from the message, as in "http_health_check.expected_statuses.1.start": a later one where those before
  // it are not written. None: the message as a whole.
  std::vector<std::string> fields = {};
  bool of_proto = false;  // a bound of the proto files, which holds whether the message is used or not

  friend bool operator==(const Reason& reason, std::string_view words) noexcept { return reason.text == words; }
};

// None: Envoy takes it.
using Refusal = std::optional<Reason>;

// A bound of the proto files. "HealthCheckValidationError.Timeout: value is required" of "HealthCheck", "timeout" and
// these words; without a message "Timeout: value is required".
[[nodiscard]] Reason out_of_bounds(std::string_view message, const std::string& field, std::string_view words);
[[nodiscard]] Reason at_most(const std::string& field, std::uint64_t most);
[[nodiscard]] Reason at_least(const std::string& field, std::uint64_t least);

// The same refusal of what holds the message as `field`.
[[nodiscard]] Refusal within(const std::string& field, Refusal refusal);

// In Envoy's words; empty: it takes it.
[[nodiscard]] inline std::string text_of(const Refusal& refusal) {
  return refusal ? refusal->text : std::string();
}

}  // namespace spillway::config
