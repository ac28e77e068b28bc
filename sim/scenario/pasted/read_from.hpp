// An annotation of VirtualServices that were made of a route of the Gateway API: "HTTPRoute shop/web".
#pragma once

namespace spillway::scenario::pasted {

inline constexpr const char* key_read_from = "spillway/read-from";

}  // namespace spillway::scenario::pasted
