// When traffic starts to leave a zone that loses endpoints, and when it comes to panic.
#pragma once

#include <vector>

namespace spillway::plan {

class Variants;  // variants.hpp
struct Onset;    // plan.hpp
struct Variant;  // variants.hpp

// For every zone with clients and service that they ask for and that has endpoints there. Tries every number of lost
// endpoints up to 64, and searches above by halves, as more lost endpoints never bring traffic back.
[[nodiscard]] std::vector<Onset> onsets_of(const Variants& variants, const Variant& variant);

}  // namespace spillway::plan
