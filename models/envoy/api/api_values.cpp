#include "models/envoy/api/api_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "models/config/lower_ascii.hpp"

namespace spillway::api {
namespace {

constexpr double two_to_31 = 2147483648.0;
constexpr double two_to_32 = 4294967296.0;
constexpr double two_to_63 = 9223372036854775808.0;
constexpr double two_to_64 = 18446744073709551616.0;
// Source: google/protobuf/duration.proto.
constexpr double longest_seconds = 315'576'000'000.0;

std::optional<double> number_in_text(std::string_view text) {
  const bool negative = text.starts_with('-');
  text.remove_prefix(negative || text.starts_with('+') ? 1 : 0);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  text.remove_prefix(hexadecimal ? 2 : 0);
  if (text.empty() || text.starts_with('-')) {
    return std::nullopt;
  }
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto read =
      std::from_chars(text.data(), end, number, hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (read.ptr != end || (read.ec != std::errc{} && read.ec != std::errc::result_out_of_range)) {
    return std::nullopt;
  }
  return negative ? -number : number;
}

// True for a whole number in [least, below).
bool is_whole(const documents::Node& node, double least, double below) {
  const std::optional<double> number = number_of(node);
  return number && std::isfinite(*number) && std::trunc(*number) == *number && *number >= least && *number < below;
}

// True for a whole number of 64 bits. A double would round the largest up to one that is none.
template <typename Integer>
bool is_whole_of_64_bits(const documents::Node& node, double least, double below) {
  if (node.kind == documents::Kind::integer) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
    return node.negative && node.magnitude != 0 ? least < 0 && node.magnitude <= largest + 1
                                                : node.magnitude <= largest;
  }
  Integer read{};
  const char* const end = node.text.data() + node.text.size();
  const auto result = std::from_chars(node.text.data(), end, read);
  return (node.kind == documents::Kind::string && result.ec == std::errc{} && result.ptr == end) ||
         is_whole(node, least, below);
}

std::optional<double> seconds_in_text(std::string_view text) {
  const bool negative = text.starts_with('-');
  text.remove_prefix(negative ? 1 : 0);
  const auto digits = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!text.ends_with('s')) {
    return std::nullopt;
  }
  text.remove_suffix(1);
  const std::size_t point = text.find('.');
  constexpr std::size_t most_decimals = 9;
  if (!digits(text.substr(0, point)) ||
      (point != std::string_view::npos &&
       (!digits(text.substr(point + 1)) || text.size() - point > most_decimals + 1))) {
    return std::nullopt;
  }
  const double seconds = number_in_text(text).value_or(2 * longest_seconds);
  return seconds > longest_seconds ? std::nullopt : std::optional(negative ? -seconds : seconds);
}

// Returns the six bits that a letter of base64 means.
std::optional<std::uint32_t> bits_of_base64(char letter) noexcept {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t position = letters.find(letter == '-' ? '+' : letter == '_' ? '/' : letter);
  return position == std::string_view::npos ? std::nullopt : std::optional(static_cast<std::uint32_t>(position));
}

double part_of(const documents::Node& object, std::string_view name) {
  const documents::Member* const part = object.find(name);
  return part == nullptr ? 0.0 : number_of(part->value).value_or(0.0);
}

}  // namespace

std::optional<double> number_of(const documents::Node& node) {
  switch (node.kind) {
    case documents::Kind::integer:
      return node.negative ? -static_cast<double>(node.magnitude) : static_cast<double>(node.magnitude);
    case documents::Kind::number:
      return node.number;
    case documents::Kind::string:
      return number_in_text(node.text);
    default:
      return std::nullopt;
  }
}

std::optional<double> seconds_of(const documents::Node& node) {
  if (node.kind == documents::Kind::string) {
    return seconds_in_text(node.text);
  }
  if (node.kind != documents::Kind::object) {
    return std::nullopt;
  }
  constexpr double nanos = 1e9;
  return part_of(node, "seconds") + part_of(node, "nanos") / nanos;
}

std::optional<double> enum_number_of(const documents::Node& node, const ApiEnum& type) {
  if (node.kind == documents::Kind::string) {
    const auto named = std::find_if(type.values.begin(), type.values.end(), [&](const EnumValue& value) {
      return std::equal(value.name.begin(), value.name.end(), node.text.begin(), node.text.end(),
                        [](char name, char written) {
                          return config::to_lower_ascii(name) == config::to_lower_ascii(written == '-' ? '_' : written);
                        });
    });
    if (named != type.values.end()) {
      return static_cast<double>(named->number);
    }
  }
  return is_whole(node, -two_to_31, two_to_31) ? number_of(node) : std::nullopt;
}

std::optional<bool> boolean_of(const documents::Node& node) {
  if (node.kind == documents::Kind::boolean) {
    return node.boolean;
  }
  if (node.kind != documents::Kind::string) {
    return std::nullopt;
  }
  const std::string word = config::to_lower_ascii(node.text);
  constexpr std::array trues = {"true", "t", "yes", "y", "1"};
  constexpr std::array falses = {"false", "f", "no", "n", "0"};
  if (std::find(trues.begin(), trues.end(), word) != trues.end()) {
    return true;
  }
  return std::find(falses.begin(), falses.end(), word) != falses.end() ? std::optional(false) : std::nullopt;
}

bool is_base64(std::string_view text) noexcept {
  constexpr std::size_t most_padding = 2;
  const std::size_t end = text.find_last_not_of('=') + 1;
  const std::size_t padding = text.size() - end;
  if (padding > most_padding || (padding > 0 && text.size() % 4 != 0)) {
    return false;
  }
  text = text.substr(0, end);
  return text.size() % 4 != 1 &&
         std::all_of(text.begin(), text.end(), [](char letter) { return bits_of_base64(letter).has_value(); });
}

std::string bytes_of_base64(std::string_view text) {
  constexpr unsigned bits_of_letter = 6;
  constexpr unsigned bits_of_byte = 8;
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned known = 0;
  for (const char letter : is_base64(text) ? text.substr(0, text.find('=')) : std::string_view()) {
    bits = (bits << bits_of_letter) | *bits_of_base64(letter);
    known += bits_of_letter;
    if (known >= bits_of_byte) {
      known -= bits_of_byte;
      bytes += static_cast<char>((bits >> known) & 0xffU);
    }
  }
  return bytes;
}

std::string_view fault_of(const documents::Node& node, Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return boolean_of(node) ? "" : "`true` or `false`";
    case Kind::int32:
      return is_whole(node, -two_to_31, two_to_31) ? "" : "a whole number of 32 bits";
    case Kind::uint32:
      return is_whole(node, 0, two_to_32) ? "" : "a whole number from 0 to 4294967295";
    case Kind::int64:
      return is_whole_of_64_bits<std::int64_t>(node, -two_to_63, two_to_63) ? "" : "a whole number of 64 bits";
    case Kind::uint64:
      return is_whole_of_64_bits<std::uint64_t>(node, 0, two_to_64) ? ""
                                                                    : "a whole number of 64 bits that is not negative";
    case Kind::floating: {
      const bool word = node.kind == documents::Kind::string &&
                        (node.text == "NaN" || node.text == "Infinity" || node.text == "-Infinity");
      return word || number_of(node) ? "" : "a number";
    }
    case Kind::string:
      return node.kind == documents::Kind::string ? "" : "a string";
    case Kind::bytes:
      return node.kind == documents::Kind::string && is_base64(node.text) ? "" : "bytes in base64";
    case Kind::enumeration:
    case Kind::message:
      break;
  }
  return "";
}

}  // namespace spillway::api
