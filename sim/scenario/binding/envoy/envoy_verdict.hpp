// Decides if a real Envoy accepts the documents of a proxy: what `spillway validate` exits by.
#pragma once

#include "models/documents/diagnostic.hpp"

namespace spillway::scenario {

class ProxyConfiguration;  // proxy_configuration.hpp

// True for an error for which Envoy would refuse the document. False for features that are not simulated (SP301 to
// SP303), for endpoints that are not in the documents (SP136), and for warnings.
[[nodiscard]] bool is_refusal(const Diagnostic& problem);

// Returns the refusals of the documents and of each of their clusters. Precondition: the documents were read with
// EnvoyOptions::checked; otherwise only the simulated parts are checked. Linear in the documents.
[[nodiscard]] Diagnostics refusals_of(const ProxyConfiguration& proxy);

}  // namespace spillway::scenario
