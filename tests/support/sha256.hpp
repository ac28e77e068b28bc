// SHA-256 (FIPS 180-4) of a text, in hexadecimal: to compare long lists by their digest.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace spillway::support {

class Sha256 {
 public:
  static std::string hex(std::string_view text) {
    Sha256 state;
    std::string padded(text);
    padded.push_back(static_cast<char>(0x80));
    padded.resize((padded.size() + 8 + 63) / 64 * 64 - 8, '\0');
    for (int shift = 56; shift >= 0; shift -= 8) {
      padded.push_back(static_cast<char>((std::uint64_t{text.size()} * 8U) >> static_cast<unsigned>(shift) & 0xffU));
    }
    for (std::size_t block = 0; block < padded.size(); block += 64) {
      state.add(std::string_view(padded).substr(block, 64));
    }
    std::string result;
    for (const std::uint32_t word : state.hash_) {
      for (unsigned shift = 32; shift > 0; shift -= 4) {
        result.push_back("0123456789abcdef"[word >> (shift - 4) & 15U]);
      }
    }
    return result;
  }

 private:
  void add(std::string_view block) {
    std::array<std::uint32_t, 64> words{};
    for (std::size_t index = 0; index < 64; ++index) {
      words[index / 4] = words[index / 4] << 8U | static_cast<unsigned char>(block[index]);
    }
    for (std::size_t index = 16; index < 64; ++index) {
      const std::uint32_t a = words[index - 15];
      const std::uint32_t b = words[index - 2];
      words[index] = words[index - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3U) + words[index - 7] +
                     (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10U);
    }
    std::array<std::uint32_t, 8> v = hash_;
    for (std::size_t round = 0; round < 64; ++round) {
      const std::uint32_t first = v[7] + (std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25)) +
                                  ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[round] + words[round];
      const std::uint32_t second = (std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22)) +
                                   ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      v = {first + second, v[0], v[1], v[2], v[3] + first, v[4], v[5], v[6]};
    }
    for (std::size_t index = 0; index < hash_.size(); ++index) {
      hash_[index] += v[index];
    }
  }

  static constexpr std::array<std::uint32_t, 64> constants = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  std::array<std::uint32_t, 8> hash_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

}  // namespace spillway::support
