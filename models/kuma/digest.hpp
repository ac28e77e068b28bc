// base64(SHA-256(text)), which Kuma uses in place of names that would be too long.
//
//   base64_sha256("");   // 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
//
// Source: Kuma's xds/cache/sha256. OpenSSL does the hashing.
#pragma once

#include <string>
#include <string_view>

namespace spillway::kuma {

[[nodiscard]] std::string base64_sha256(std::string_view text);

// Returns SHA-256 in hexadecimal digits.
[[nodiscard]] std::string hex_sha256(std::string_view text);

}  // namespace spillway::kuma
