// Filter chains of a listener that overlap. Source: Envoy's listener_manager/filter_chain_manager_impl.cc.
#pragma once

#include "models/envoy/api/refused_messages.hpp"

namespace spillway::api {

// Refuses chains that would take the same connections, and chains without a name of their own if a matcher names them.
// Linear in the combinations of a chain's conditions, of which the first million are compared.
void check_filter_chains(const MessageView& listener, CheckedDocument& document);

}  // namespace spillway::api
