// Inputs and actions of matchers (xds.type.matcher.v3.Matcher) that Envoy refuses by its code: which there are depends
// on the place of the matcher.
#pragma once

#include <span>

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

[[nodiscard]] std::span<const RefusedMessage> refused_in_matchers() noexcept;

}  // namespace spillway::api
