// What Kuma says of a policy when it is applied, and what spillway says of it beyond that, at the place in the file.
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

// Adds an error (SP601) for each reason for which Kuma refuses the document; answers whether it admits it.
bool admit(const Origin& origin, const std::vector<kuma::Violation>& violations, Diagnostics& problems);

// Adds a warning (SP611 and following) for all that the policies, which were admitted, hardly do as they are meant.
void lint(const Documents& documents, kuma::LintContext context, Diagnostics& problems);

// Adds a warning (SP637) for each affinity key that is not among `keys`, those of the tags and labels of all
// dataplanes, of which there are so many.
void lint_affinity_keys(const Documents& documents, const std::set<std::string, std::less<>>& keys,
                        std::size_t dataplanes, Diagnostics& problems);

// Adds an error (SP302) where a route changes a header that a strategy hashes.
void refuse_changed_hashes(const Documents& documents, Diagnostics& problems);

// The code of a lint's warning: "SP611".
[[nodiscard]] std::string code_of(kuma::LintCode code);

}  // namespace spillway::kuma
