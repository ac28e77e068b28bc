// Conditions in CEL, as parsed expressions (google.api.expr.v1alpha1.Expr).
#pragma once

#include <string>

#include "models/envoy/api/message_view.hpp"

namespace spillway::api {

// Returns what Envoy says of an expression that it cannot build; "" otherwise. Linear.
// Source: a real Envoy 1.40, asked for each function and number of arguments.
[[nodiscard]] std::string fault_of_expression(const MessageView& expression);

}  // namespace spillway::api
