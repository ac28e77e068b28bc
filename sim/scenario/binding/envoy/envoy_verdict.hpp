// Decides if a real Envoy accepts the documents of a proxy: what `spillway validate` exits by.
#pragma once

#include "models/documents/diagnostic.hpp"

namespace spillway::scenario {

class ProxyConfiguration;  // proxy_configuration.hpp

// True for an error that Envoy would refuse the document for. False for what is not simulated (SP301 to SP303), for
// endpoints that are not in the documents (SP136), and for warnings.
[[nodiscard]] bool is_refusal(const Diagnostic& problem);

// Returns the refusals of the documents and of each of their clusters. Read the documents with EnvoyOptions::checked,
// otherwise only what the simulation reads is looked at. Linear in the documents.
[[nodiscard]] Diagnostics refusals_of(const ProxyConfiguration& proxy);

}  // namespace spillway::scenario
