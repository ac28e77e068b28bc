// Which services the requests of a client ask for, where that changes: by weighted clusters, routes and workloads.
#pragma once

#include <vector>

namespace spillway::diff {

class Look;    // look.hpp
struct Split;  // difference.hpp

// Of clients that both sides have, in the order of the newer one. Linear in flows.
[[nodiscard]] std::vector<Split> splits_of(const Look& before, const Look& after, std::size_t context);

}  // namespace spillway::diff
