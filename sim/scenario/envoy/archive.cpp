#include "sim/scenario/envoy/archive.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <zlib.h>

namespace spillway::scenario::envoy_documents {
namespace {

constexpr std::size_t block = 512;

// Ends what it began.
class Inflater {
 public:
  Inflater() {
    constexpr int gzip = 16;
    ready_ = ::inflateInit2(&stream_, gzip + MAX_WBITS) == Z_OK;
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::optional<std::string> inflate(const std::string& bytes, std::size_t most, std::string& reason) {
    std::string text;
    std::array<unsigned char, std::size_t{1} << 16U> part{};
    // zlib does not write to what it reads.
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<unsigned int>(bytes.size());
    int state = ready_ ? Z_OK : Z_MEM_ERROR;
    while (state == Z_OK) {
      stream_.next_out = part.data();
      stream_.avail_out = static_cast<unsigned int>(part.size());
      state = ::inflate(&stream_, Z_NO_FLUSH);
      text.append(reinterpret_cast<const char*>(part.data()), part.size() - stream_.avail_out);
      if (text.size() > most) {
        reason = "it contains more than " + std::to_string(most >> 20U) + " MiB";
        return std::nullopt;
      }
    }
    if (state != Z_STREAM_END) {
      reason = state == Z_BUF_ERROR ? "it is cut short" : "it is not compressed by gzip";
      return std::nullopt;
    }
    return text;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

// A field of a header, up to its first zero.
std::string_view field(std::string_view header, std::size_t at, std::size_t length) {
  const std::string_view whole = header.substr(at, length);
  return whole.substr(0, whole.find('\0'));
}

std::optional<std::size_t> octal(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 8);
  return error == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

// The path of pax's extended header: "27 path=folder/config_dump.json\n".
std::string pax_path(std::string_view records) {
  while (!records.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(records.data(), records.data() + records.size(), length);
    if (error != std::errc() || length == 0 || length > records.size()) {
      return {};
    }
    const std::string_view record = records.substr(0, length);
    constexpr std::string_view key = " path=";
    if (const std::size_t at = record.find(key); at != std::string_view::npos) {
      const std::string_view value = record.substr(at + key.size());
      return std::string(value.substr(0, value.find('\n')));
    }
    records.remove_prefix(length);
  }
  return {};
}

std::string ustar_name(std::string_view header) {
  const std::string_view prefix = header.substr(257, 5) == "ustar" ? field(header, 345, 155) : std::string_view();
  return (prefix.empty() ? "" : std::string(prefix) + "/") + std::string(field(header, 0, 100));
}

}  // namespace

std::optional<Sources> files_of_archive(const std::string& name, const std::string& bytes, std::size_t most,
                                        std::string& reason) {
  const auto tar = Inflater().inflate(bytes, most, reason);
  if (!tar) {
    return std::nullopt;
  }
  Sources files;
  std::string long_name;
  std::string_view rest = *tar;
  while (rest.size() >= block && rest.front() != '\0') {
    const std::string_view header = rest.substr(0, block);
    const auto size = octal(field(header, 124, 12));
    if (!size || *size > rest.size() - block) {
      reason = "it is not a tar archive, or is cut short";
      return std::nullopt;
    }
    const std::string_view content = rest.substr(block, *size);
    const char kind = header[156];
    if (kind == 'x') {
      long_name = pax_path(content);
    } else if (kind == 'L') {
      long_name = std::string(content.substr(0, content.find('\0')));
    } else {
      if (kind == '0' || kind == '\0') {
        files.push_back({name + "/" + (long_name.empty() ? ustar_name(header) : long_name), std::string(content)});
      }
      long_name.clear();
    }
    const std::size_t whole = block + (*size + block - 1) / block * block;
    rest.remove_prefix(std::min(whole, rest.size()));
  }
  return files;
}

}  // namespace spillway::scenario::envoy_documents
