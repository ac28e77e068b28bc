// base64(SHA-256(text)), with which Kuma names what is too long for a name.
//
//   base64_sha256("");   // 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
//
// Source: Kuma's xds/cache/sha256. OpenSSL does the hashing.
#pragma once

#include <string>
#include <string_view>

namespace spillway::kuma {

[[nodiscard]] std::string base64_sha256(std::string_view text);

}  // namespace spillway::kuma
