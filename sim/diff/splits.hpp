// Changes in the services that a client's requests go to: by weighted clusters, routes and workloads.
#pragma once

#include <vector>

namespace spillway::diff {

class Look;    // look.hpp
struct Split;  // difference.hpp

// Returns the splits of clients that both sides have, in the order of the newer one. O(flows).
[[nodiscard]] std::vector<Split> splits_of(const Look& before, const Look& after, std::size_t context);

}  // namespace spillway::diff
