// Texts of one value: quantities with units beside the patterns that the schema has for them, addresses and numbers
// beside the C library's readers.
#include "models/documents/grammar/scalars.hpp"

#include <arpa/inet.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <re2/re2.h>
#include <string>

#include "models/documents/number.hpp"
#include "models/envoy/routes/address.hpp"
#include "models/kuma/decimal.hpp"
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {
namespace {

void alike(bool read, std::string_view text, const re2::RE2& pattern) {
  require(read == re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern),
          "what is read is what the schema's pattern takes");
}

void quantities(std::string_view text) {
  static const re2::RE2 duration(grammar::duration_pattern());
  static const re2::RE2 proto_duration(grammar::proto_duration_pattern());
  static const re2::RE2 rate(grammar::rate_pattern());
  static const re2::RE2 bandwidth(grammar::bandwidth_pattern());
  static const re2::RE2 price(grammar::price_pattern("GB"));
  static const re2::RE2 percent(grammar::percent_pattern());
  static const re2::RE2 count("[0-9]{1,9}");
  const auto time = grammar::read_duration(text);
  alike(time.has_value(), text, duration);
  require(!time || (time->count() >= 0 && time->count() < 1'000'000'000'000'000'000), "durations stay below 10^18 ns");
  alike(grammar::read_proto_duration(text).has_value(), text, proto_duration);
  if (time && time->count() < 1'000'000'000'000'000'000 - 1) {
    require(grammar::read_proto_duration(grammar::proto_duration_text(*time)) == time,
            "a duration as protobuf writes it is read as the same");
  }
  const auto requests = grammar::read_rate(text);
  alike(requests.has_value(), text, rate);
  require(!requests || (*requests >= 0.0 && *requests <= 1e9), "rates stay below 10^9");
  const auto bits = grammar::read_bandwidth(text);
  alike(bits.has_value(), text, bandwidth);
  require(!bits || (*bits >= 0.0 && *bits <= 1e21), "bandwidths stay finite");
  alike(grammar::read_price(text, "GB").has_value(), text, price);
  const auto part = grammar::read_percent(text);
  alike(part.has_value(), text, percent);
  require(!part || part->billionths <= 100'000'000'000, "a percentage is 100 at most");
  alike(grammar::read_count(text).has_value(), text, count);
}

void addresses(const std::string& text) {
  const auto address = envoy::routes::parse_ip_address(text);
  if (!address) {
    return;
  }
  const std::string written = envoy::routes::text(*address);
  const auto again = envoy::routes::parse_ip_address(written);
  require(again && again->ip == address->ip && again->port == address->port && again->v6 == address->v6,
          "an address is read from its own text");
  require(envoy::routes::text(*again) == written, "which is the canonical one");
  std::array<unsigned char, 16> bytes{};
  require(inet_pton(address->v6 ? AF_INET6 : AF_INET, address->ip.c_str(), bytes.data()) == 1, "and the C library's");
}

// Slow: by the C library, without its blanks, hexadecimals and words. Nor does it take a sign behind the point, which
// Kuma's library does: it takes the point away before it reads the rest.
void decimals(const std::string& text) {
  const auto decimal = kuma::parse_decimal(std::string_view(text));
  if (!decimal || text.size() > 300 || text.starts_with(".+") || text.starts_with(".-")) {
    return;
  }
  require(text.find_first_not_of("0123456789+-.eE") == std::string::npos, "a decimal has digits, signs, a point, an e");
  require(decimal->sign >= -1 && decimal->sign <= 1, "a sign is one of three");
  const double nearest = std::strtod(text.c_str(), nullptr);
  require(decimal->value == nearest, "a decimal is the nearest double");
  require(!decimal->above_hundred || nearest >= 100.0, "what is above 100 exactly is not below it as a double");
  require(decimal->above_hundred || nearest <= 100.0, "and what is not, not above it");
}

void numbers(std::string_view text) {
  documents::Node node;
  using documents::NumberVerdict;
  if (documents::read_number(text, node) != NumberVerdict::fine) {
    return;
  }
  require(std::isfinite(node.number), "a number is finite");
  require(node.kind == documents::Kind::integer || node.kind == documents::Kind::number,
          "a number is one of the two kinds");
  if (node.kind == documents::Kind::integer) {
    const auto magnitude = static_cast<double>(node.magnitude);
    require(node.number == (node.negative ? -magnitude : magnitude), "an integer is its magnitude with its sign");
  }
}

}  // namespace

void read_scalars(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    return;
  }
  const std::string whole(text);
  quantities(whole);
  addresses(whole);
  decimals(whole);
  numbers(whole);
}

}  // namespace spillway::fuzzing
