// Shares of equal picks: the loads of a policy that has no closed form, without a simulation.
//
// Least request over equal hosts prefers none of them in the long run, so it loads them as round robin does. Outlier
// detection ejects nobody while no endpoint fails a request; overload that makes requests fail is measured separately.
// Loads of such proxies follow from the shares of proxies that pick evenly and eject nobody. A plan derives its rows
// and searches from these shares, and counts requests only to confirm them.
#pragma once

#include <optional>
#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::plan {

class Variants;    // variants.hpp
struct Loads;      // loads.hpp
struct Row;        // plan.hpp
struct Simulated;  // variants.hpp
struct Variant;    // variants.hpp

// Returns the loads of `still` by shares of equal picks, with `equal_picks` set if a policy was replaced. Returns
// nullopt if hosts are unequal, if some endpoint may fail requests, or if those shares have no closed form either.
[[nodiscard]] std::optional<Loads> loads_of_equal_picks(const scenario::Scenario& still);

// True if counted requests load every endpoint as shares of equal picks say, within 3 % and the error of counting, in
// each of these rows that is derived from them. The rows nearest to their limits are counted first; rows beyond a
// total of 2 million requests are not. `growth` is a factor of the requests.
[[nodiscard]] bool equal_picks_confirmed(const Variants& variants, const Variant& variant, const std::vector<Row>& rows,
                                         double growth);

// Shortens warm-up and measured time to so many requests, or to two of the longest intervals of proxies' checks.
[[nodiscard]] Simulated shortened(Simulated simulated, double most_requests);

}  // namespace spillway::plan
