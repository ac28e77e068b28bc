// A refusal: why Envoy refuses a message, in its words, and which fields cause it.
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
  // Paths of the fields from the message, e.g. "http_health_check.expected_statuses.1.start". If the earlier fields are
  // not written, a later one applies. Empty if the message as a whole is refused.
  std::vector<std::string> fields = {};
  bool of_proto = false;  // a bound of the proto files, which applies whether or not the message is used

  friend bool operator==(const Reason& reason, std::string_view words) noexcept { return reason.text == words; }
};

// The reason for a refusal; nullopt if Envoy accepts the message.
using Refusal = std::optional<Reason>;

// Returns the refusal for a bound of the proto files. "HealthCheck", "timeout" and "value is required" give
// "HealthCheckValidationError.Timeout: value is required"; without a message "Timeout: value is required".
[[nodiscard]] Reason out_of_bounds(std::string_view message, const std::string& field, std::string_view words);
[[nodiscard]] Reason at_most(const std::string& field, std::uint64_t most);
[[nodiscard]] Reason at_least(const std::string& field, std::uint64_t least);

// Returns the refusal as one of the enclosing message, which holds the refused message as `field`.
[[nodiscard]] Refusal within(const std::string& field, Refusal refusal);

// Returns the refusal in Envoy's words; empty if Envoy accepts the message.
[[nodiscard]] inline std::string text_of(const Refusal& refusal) {
  return refusal ? refusal->text : std::string();
}

}  // namespace spillway::config
