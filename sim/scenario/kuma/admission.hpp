// What Kuma says of a policy when it is applied, and what spillway says of it beyond that, at the place in the file.
#pragma once

#include "models/config/profile.hpp"
#include "models/kuma/lints.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/kuma/documents.hpp"

namespace spillway::scenario::kuma_documents {

// Adds an error (SP601) for each reason for which Kuma refuses the policy; answers whether it admits it.
bool admit(const Origin& origin, const kuma::MeshLoadBalancingStrategy& spec, config::KumaProfile profile,
           Diagnostics& problems);

// Adds a warning (SP611 and following) for all that the policies, which were admitted, hardly do as they are meant.
void lint(const Documents& documents, const kuma::LintContext& context, Diagnostics& problems);

// The code of such a warning: "SP611".
[[nodiscard]] std::string code_of(kuma::LintCode code);

}  // namespace spillway::scenario::kuma_documents
