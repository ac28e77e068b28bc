#include "models/kuma/digest.hpp"

#include <array>
#include <cstddef>
#include <openssl/evp.h>
#include <openssl/sha.h>

namespace spillway::kuma {

std::string base64_sha256(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  constexpr std::size_t characters = 4 * ((digest.size() + 2) / 3);
  std::array<unsigned char, characters + 1> base64{};
  EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(digest.size()));
  return {base64.begin(), base64.end() - 1};
}

std::string hex_sha256(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::string hex;
  for (const unsigned char byte : digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    hex += digits[byte / 16U];
    hex += digits[byte % 16U];
  }
  return hex;
}

}  // namespace spillway::kuma
