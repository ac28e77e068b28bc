// Format strings of Envoy's headers, logs and replies: "%REQ(x-id)%".
#pragma once

#include <string>
#include <string_view>

namespace spillway::api {

// Returns why Envoy refuses a format string, in its words; empty if it takes it. Commands of extensions that are not
// known here are taken. Source: formatter/substitution_formatter.cc, and a live Envoy 1.40 asked for each command.
[[nodiscard]] std::string fault_of_format(std::string_view format);

}  // namespace spillway::api
