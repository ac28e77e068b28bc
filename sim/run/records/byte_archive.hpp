// Structs as bytes and back. `Members` lists the members of each struct once, for both directions; plain values, texts,
// lists and shared values are known.
//
//   struct Members {
//     template <class Archive>
//     static void visit(Archive& archive, run::ArchiveOf<Point> auto& point) { archive(point.name, point.values); }
//   };
//   const std::string bytes = run::to_bytes<Members>(points);          // of a std::vector<Point>
//   points = run::from_bytes<Members, std::vector<Point>>(bytes);
//
// For one program on one machine, between a process and its parent: not a format to store.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spillway::run {

// A struct of this type, which is constant while it is written.
template <class Row, class Kind>
concept ArchiveOf = std::same_as<std::remove_const_t<Row>, Kind>;

template <class Members>
class ByteWriter {
 public:
  // Writes the values in this order.
  template <class... Values>
  void operator()(const Values&... values) {
    (write(values), ...);
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  template <class Value>
  void write(const Value& value) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    } else {
      Members::visit(*this, value);
    }
  }
  void write(const std::string& text) {
    write(text.size());
    bytes_ += text;
  }
  template <class Value>
  void write(const std::vector<Value>& list) {
    write(list.size());
    for (const Value& value : list) {
      write(value);
    }
  }
  // Values shared by several rows are written once.
  template <class Value>
  void write(const std::shared_ptr<const Value>& shared) {
    const auto [number, is_new] = numbers_.try_emplace(shared.get(), numbers_.size());
    write(number->second);
    if (is_new && shared) {
      write(*shared);
    }
  }

  std::string bytes_;
  std::unordered_map<const void*, std::size_t> numbers_{{nullptr, 0}};  // only looked up
};

// Reads bytes that a ByteWriter has written, in the same order.
template <class Members>
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  template <class... Values>
  void operator()(Values&... values) {
    (read(values), ...);
  }

 private:
  template <class Value>
  void read(Value& value) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      assert(bytes_.size() >= sizeof(value));
      std::memcpy(static_cast<void*>(&value), bytes_.data(), sizeof(value));
      bytes_.remove_prefix(sizeof(value));
    } else {
      Members::visit(*this, value);
    }
  }
  void read(std::string& text) {
    std::size_t size = 0;
    read(size);
    text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }
  template <class Value>
  void read(std::vector<Value>& list) {
    std::size_t size = 0;
    read(size);
    list.resize(size);
    for (Value& value : list) {
      read(value);
    }
  }
  template <class Value>
  void read(std::shared_ptr<const Value>& shared) {
    std::size_t number = 0;
    read(number);
    if (number == shared_.size()) {
      shared_.emplace_back();
      auto value = std::make_shared<Value>();
      read(*value);
      shared_[number] = std::move(value);
    }
    shared = std::static_pointer_cast<const Value>(shared_[number]);
  }

  std::string_view bytes_;
  std::vector<std::shared_ptr<const void>> shared_{nullptr};
};

template <class Members, class Value>
[[nodiscard]] std::string to_bytes(const Value& value) {
  ByteWriter<Members> writer;
  writer(value);
  return writer.take();
}

template <class Members, class Value>
[[nodiscard]] Value from_bytes(std::string_view bytes) {
  Value value;
  ByteReader<Members> reader(bytes);
  reader(value);
  return value;
}

}  // namespace spillway::run
