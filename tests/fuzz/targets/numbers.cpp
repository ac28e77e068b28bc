// Functions of numbers beside the C library's with more digits, and hashes beside their definitions.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "models/numeric/compensated_sum.hpp"
#include "models/numeric/exponential.hpp"
#include "models/numeric/hash.hpp"
#include "models/numeric/logarithm.hpp"
#include "models/numeric/power.hpp"
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {
namespace {

double number_of(Bytes& bytes) {
  std::uint64_t bits = 0;
  for (int byte = 0; byte < 8; ++byte) {
    bits = bits << 8U | bytes.next();
  }
  return std::bit_cast<double>(bits);
}

// How far a double is from the true value, in units of its own last place.
double units_off(double got, long double wanted) {
  const double nearest = static_cast<double>(wanted);
  if (!std::isfinite(nearest) || !std::isfinite(got)) {
    return got == nearest ? 0.0 : 1e9;
  }
  const double unit = std::nextafter(std::abs(nearest), INFINITY) - std::abs(nearest);
  return static_cast<double>(std::abs(static_cast<long double>(got) - wanted) / static_cast<long double>(unit));
}

void functions(Bytes& bytes) {
  while (!bytes.empty()) {
    const double x = number_of(bytes);
    if (!std::isfinite(x)) {
      continue;
    }
    const double magnitude = std::abs(x);
    if (magnitude >= 0x1p-1022) {
      require(units_off(numeric::natural_logarithm(magnitude), std::log(static_cast<long double>(magnitude))) <= 1.0,
              "a logarithm is off by a unit at most");
    }
    if (x > -708.0 && x < 709.0) {
      require(units_off(numeric::exponential(x), std::exp(static_cast<long double>(x))) <= 1.0,
              "an exponential is off by a unit at most");
    }
    // As balancing raises numbers: exponents of some size.
    const double exponent = static_cast<double>(bytes.below(4000)) / 250.0 - 8.0;
    if (magnitude >= 0x1p-1022 && std::isfinite(exponent)) {
      const long double wanted = std::pow(static_cast<long double>(magnitude), static_cast<long double>(exponent));
      if (wanted > 1e-300L && wanted < 1e300L) {
        require(units_off(numeric::power(magnitude, exponent), wanted) <= 0.51, "a power is the nearest double");
      }
    }
  }
}

// Terms of one size, whose true sum is a whole number of 2^-30.
void sums(Bytes& bytes) {
  numeric::CompensatedSum sum;
  long double wanted = 0.0L;
  while (!bytes.empty()) {
    const double term = static_cast<double>(bytes.below(60000)) * (bytes.next() % 2 == 0 ? 0x1p-30 : 1.0);
    sum.add(term);
    wanted += static_cast<long double>(term);
  }
  require(sum.value() == static_cast<double>(wanted), "a sum is the true one, rounded once");
}

// MurmurHash64A as its author wrote it, a byte at a time.
std::uint64_t slow_murmur(std::string_view data, std::uint64_t seed) {
  constexpr std::uint64_t m = 0xc6a4a7935bd1e995ULL;
  std::uint64_t hash = seed ^ (data.size() * m);
  std::size_t at = 0;
  for (; at + 8 <= data.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t byte = 0; byte < 8; ++byte) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(data[at + byte])) << (8 * byte);
    }
    word *= m;
    word ^= word >> 47U;
    word *= m;
    hash ^= word;
    hash *= m;
  }
  if (at < data.size()) {
    for (std::size_t byte = 0; at + byte < data.size(); ++byte) {
      hash ^= static_cast<std::uint64_t>(static_cast<unsigned char>(data[at + byte])) << (8 * byte);
    }
    hash *= m;
  }
  hash ^= hash >> 47U;
  hash *= m;
  hash ^= hash >> 47U;
  return hash;
}

}  // namespace

void compute_numbers(std::string_view bytes) {
  Bytes from(bytes);
  switch (from.next() % 3) {
    case 0:
      functions(from);
      break;
    case 1:
      sums(from);
      break;
    default:
      bytes.remove_prefix(bytes.empty() ? 0 : 1);
      require(numeric::murmur2_64(bytes, numeric::standard_murmur_seed) ==
                  slow_murmur(bytes, numeric::standard_murmur_seed),
              "a hash is MurmurHash64A's");
      require(numeric::xxhash64_chain(std::array<std::string, 2>{std::string(bytes), "x"}) ==
                  numeric::xxhash64("x", numeric::xxhash64(bytes)),
              "a chain of hashes seeds each with the one before");
  }
}

}  // namespace spillway::fuzzing
