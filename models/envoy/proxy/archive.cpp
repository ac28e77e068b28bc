#include "models/envoy/proxy/archive.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>
#include <zlib.h>

#include "models/documents/parse.hpp"

namespace spillway::proxy {
namespace {

constexpr std::size_t block = 512;

// A zlib stream that is released on destruction.
class Inflater {
 public:
  Inflater() {
    constexpr int gzip = 16;
    ready_ = ::inflateInit2(&stream_, gzip + MAX_WBITS) == Z_OK;
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Passes unpacked pieces to `take` while it returns true. Returns why the end was not reached; empty if it was, or if
  // `take` returned false.
  std::string inflate(const std::string& bytes, const std::function<bool(std::string_view)>& take) {
    std::array<unsigned char, std::size_t{1} << 16U> part{};
    // zlib does not write to its input.
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<unsigned int>(bytes.size());
    int state = ready_ ? Z_OK : Z_MEM_ERROR;
    while (state == Z_OK) {
      stream_.next_out = part.data();
      stream_.avail_out = static_cast<unsigned int>(part.size());
      state = ::inflate(&stream_, Z_NO_FLUSH);
      if (!take({reinterpret_cast<const char*>(part.data()), part.size() - stream_.avail_out})) {
        return "";
      }
    }
    if (state == Z_STREAM_END) {
      return "";
    }
    return state == Z_BUF_ERROR ? "it is cut short" : "it is not compressed by gzip";
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

// Returns a field of a header, up to its first zero.
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

// Returns the path in pax's extended header: "27 path=folder/config_dump.json
// ".
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

// A reader that splits an archive into its files as pieces arrive.
class TarReader {
 public:
  TarReader(const std::string& name, const ArchiveQuestion& question) : name_(name), question_(question) {}

  // Reads a piece. Returns false once there is a reason to stop.
  bool take(std::string_view piece) {
    total_ += piece.size();
    if (total_ > question_.most) {
      return refuse("it contains more than " + std::to_string(question_.most >> 20U) + " MiB");
    }
    while (!piece.empty() && !ended_ && reason_.empty()) {
      if (left_ == 0 && padding_ == 0) {
        const std::string_view part = piece.substr(0, block - header_.size());
        header_ += part;
        piece.remove_prefix(part.size());
        if (header_.size() == block) {
          begin_member();
        }
        continue;
      }
      if (left_ > 0) {
        const std::string_view part = piece.substr(0, left_);
        if (keeps_) {
          content_ += part;
        }
        left_ -= part.size();
        piece.remove_prefix(part.size());
        if (left_ == 0) {
          end_member();
        }
        continue;
      }
      const std::size_t part = std::min(padding_, piece.size());
      padding_ -= part;
      piece.remove_prefix(part);
    }
    return reason_.empty();
  }

  // Returns why the archive is refused; empty if all input so far is a valid archive.
  [[nodiscard]] std::string reason() const {
    const bool is_whole = ended_ || (left_ == 0 && header_.empty());
    return reason_.empty() && !is_whole ? "it is not a tar archive, or is cut short" : reason_;
  }
  Sources files() { return std::move(files_); }

 private:
  bool refuse(const std::string& reason) {
    reason_ = reason;
    return false;
  }

  void begin_member() {
    const std::string header = std::move(header_);
    header_.clear();
    if (header.front() == '\0') {
      ended_ = true;
      return;
    }
    const auto size = octal(field(header, 124, 12));
    if (!size) {
      reason_ = "it is not a tar archive, or is cut short";
      return;
    }
    kind_ = header[156];
    const bool is_file = kind_ == '0' || kind_ == '\0';
    const bool is_name = kind_ == 'x' || kind_ == 'L';
    path_ = is_file ? name_ + "/" + (long_name_.empty() ? ustar_name(header) : long_name_) : std::string();
    keeps_ = is_name || (is_file && question_.wanted(path_));
    wanted_ += keeps_ && is_file ? 1 : 0;
    if (wanted_ > question_.most_files) {
      reason_ = "it has more than 10,000 files to read";
      return;
    }
    const std::size_t most = is_name ? most_of_name : documents::max_bytes;
    if (*size > question_.most || (keeps_ && *size > most)) {
      reason_ = "it has a file of " + std::to_string(*size >> 20U) + " MiB; at most 64 MiB are read";
      return;
    }
    if (!is_name) {
      long_name_.clear();
    }
    left_ = *size;
    padding_ = (block - *size % block) % block;
    if (left_ == 0) {
      end_member();
    }
  }

  void end_member() {
    if (kind_ == 'x') {
      long_name_ = pax_path(content_);
    } else if (kind_ == 'L') {
      long_name_ = content_.substr(0, content_.find('\0'));
    } else if (keeps_) {
      files_.push_back({std::move(path_), std::move(content_)});
    }
    content_.clear();
  }

  static constexpr std::size_t most_of_name = std::size_t{1} << 20U;

  const std::string& name_;
  const ArchiveQuestion& question_;
  Sources files_;
  std::string reason_;
  std::string header_;
  std::string content_;
  std::string path_;
  std::string long_name_;
  char kind_ = '\0';
  bool keeps_ = false;
  bool ended_ = false;
  std::size_t left_ = 0;     // remaining bytes of the member
  std::size_t padding_ = 0;  // bytes after the member, up to a whole block
  std::size_t total_ = 0;
  std::size_t wanted_ = 0;  // number of wanted files
};

}  // namespace

std::optional<Sources> files_of_archive(const std::string& name, const std::string& bytes,
                                        const ArchiveQuestion& question, std::string& reason) {
  TarReader reader(name, question);
  reason = Inflater().inflate(bytes, [&](std::string_view piece) { return reader.take(piece); });
  if (reason.empty()) {
    reason = reader.reason();
  }
  return reason.empty() ? std::optional(reader.files()) : std::nullopt;
}

}  // namespace spillway::proxy
