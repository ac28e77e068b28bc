// The HTTP statuses that have a text in Go's net/http, which are those that Kuma accepts in retryOn.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace spillway::kuma {

[[nodiscard]] inline bool is_known_status(std::uint32_t status) {
  constexpr std::array known = std::to_array<std::uint16_t>(
      {100, 101, 102, 103, 200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 307,
       308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421,
       422, 423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511});
  return std::binary_search(known.begin(), known.end(), status);
}

}  // namespace spillway::kuma
