// Plain values and texts as bytes and back: the common part of the archives of results and of a sweep's figures. These
// add structs, each with its own description of them.
//
//   struct Writer : ByteWriter { using ByteWriter::operator(); ... };
//   writer(number); writer(text); std::string bytes = writer.take();
//
// For one program on one machine, between a process and its parent: not a format to store.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace spillway::run {

class ByteWriter {
 public:
  template <class Value>
  void operator()(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes_ += text;
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads bytes that a ByteWriter has written, in the same order.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  template <class Value>
  void operator()(Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    assert(bytes_.size() >= sizeof(value));
    std::memcpy(static_cast<void*>(&value), bytes_.data(), sizeof(value));
    bytes_.remove_prefix(sizeof(value));
  }
  void operator()(std::string& text) {
    std::size_t size = 0;
    (*this)(size);
    text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }

 private:
  std::string_view bytes_;
};

// Writes the values, or reads them, in this order.
template <class Archive, class... Values>
void archive_all(Archive& archive, Values&&... values) {
  (archive(values), ...);
}

// Writes the length of a list and each of its values, or reads them, as `each` does for one value.
template <class Archive, class Value, class Each>
void archive_each(Archive& archive, std::vector<Value>& values, Each each) {
  std::size_t size = values.size();
  archive(size);
  values.resize(size);
  for (Value& value : values) {
    each(value);
  }
}

}  // namespace spillway::run
