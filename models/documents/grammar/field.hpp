// A value as written in a file, with its location.
#pragma once

#include "models/documents/source.hpp"

namespace spillway::grammar {

// `present`: the key is written. `given`: its value could also be read. A value that could not be read has been
// reported, so later checks skip it.
template <class T>
struct Field {
  T value{};
  Span where;  // of the value
  Span key;    // of its key; of the value itself in a list
  bool present = false;
  bool given = false;

  explicit operator bool() const noexcept { return given; }
  const T& operator*() const noexcept { return value; }
  const T* operator->() const noexcept { return &value; }
  [[nodiscard]] T value_or(const T& otherwise) const { return given ? value : otherwise; }
};

}  // namespace spillway::grammar
