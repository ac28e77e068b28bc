// Format strings of Envoy's headers, logs and replies: "%REQ(x-id)%".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "models/documents/node.hpp"

namespace spillway::api {

// Where a format string is: headers have a command that logs lack, and `formatters` beside a format have their own.
enum class Formats : std::uint8_t { of_logs, of_headers, with_formatters };

// Returns why Envoy refuses a format string, in its words; empty if it takes it. Commands of extensions that are not
// known here are taken. Source: formatter/substitution_formatter.cc, and a live Envoy 1.40 asked for each command.
[[nodiscard]] std::string fault_of_format(std::string_view format, Formats place = Formats::of_logs);

// Returns the first text in a value of JSON that Envoy refuses as a format string, and why; "" if there is none.
[[nodiscard]] std::pair<const documents::Node*, std::string> fault_of_formats(const documents::Node& values,
                                                                              Formats place = Formats::of_logs);

}  // namespace spillway::api
