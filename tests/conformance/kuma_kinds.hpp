// The kinds of Kuma's case files, one file each. A case stands as a whole, not under `input`.
#pragma once

#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "tests/conformance/check.hpp"

namespace spillway::conformance {

// Whether a case is one of Kuma's; some of their kinds share a name with Envoy's.
[[nodiscard]] bool is_kuma_case(const json& test_case);

// True if a case is what Kuma configured for a proxy: it has `kuma` or `refused` beside documents, and no `kind`.
[[nodiscard]] bool is_kuma_proxy_case(const json& test_case);
// Returns all differences; empty if there is none.
[[nodiscard]] std::vector<std::string> replay_kuma_proxy(const json& test_case);

// Replays a case of Kuma's under its profile, or under both. Throws for a kind or profile that nobody knows.
void replay_kuma(const json& test_case, Check& check);

using KumaReplay = void (*)(const json& test_case, config::KumaProfile profile, Check& check);

void replay_kuma_affinity_groups(const json& test_case, config::KumaProfile profile, Check& check);
void replay_kuma_available_services(const json& test_case, config::KumaProfile profile, Check& check);
void replay_kuma_assignment(const json& test_case, config::KumaProfile profile, Check& check);
void replay_kuma_egress_match(const json& test_case, config::KumaProfile profile, Check& check);
void replay_kuma_grouping(const json& test_case, config::KumaProfile profile, Check& check);
void replay_kuma_hash_affinity(const json& test_case, config::KumaProfile profile, Check& check);
void replay_kuma_merge(const json& test_case, config::KumaProfile profile, Check& check);
void replay_kuma_opf_table(const json& test_case, config::KumaProfile profile, Check& check);
void replay_kuma_topology(const json& test_case, config::KumaProfile profile, Check& check);
void replay_kuma_validation(const json& test_case, config::KumaProfile profile, Check& check);

}  // namespace spillway::conformance
