// Diagnostics of policies at their places in the file: Kuma's refusals, and the lints of spillway.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"

namespace spillway::kuma {

enum class LintCode : std::uint8_t;  // lints.hpp
struct Documents;                    // documents.hpp
struct LintContext;                  // lints.hpp
struct Origin;                       // documents.hpp
struct Violation;                    // validation.hpp

// Adds one error (SP601) for each reason for which Kuma refuses the document. True if Kuma admits it.
bool admit(const Origin& origin, const std::vector<kuma::Violation>& violations, Diagnostics& problems);

// Adds warnings (SP611 and following) for settings of admitted policies that are unlikely to do what is meant.
void lint(const Documents& documents, kuma::LintContext context, Diagnostics& problems);

// Adds a warning (SP637) for each affinity key that is not in `keys`. `keys` are those of the tags and labels of all
// dataplanes, and `dataplanes` is the number of dataplanes.
void lint_affinity_keys(const Documents& documents, const std::set<std::string, std::less<>>& keys,
                        std::size_t dataplanes, Diagnostics& problems);

// Adds an error (SP302) for each route that changes a header that a strategy hashes.
void refuse_changed_hashes(const Documents& documents, Diagnostics& problems);

// Returns the code of a lint's warning, such as "SP611".
[[nodiscard]] std::string code_of(kuma::LintCode code);

}  // namespace spillway::kuma
