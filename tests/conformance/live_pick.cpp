#include "tests/conformance/check.hpp"
namespace spillway::conformance {
const Replays& live_pick_replays() { static const Replays replays; return replays; }
}  // namespace spillway::conformance
