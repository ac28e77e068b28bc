// A value that was written in a file, with its place.
#pragma once

#include "models/documents/source.hpp"

namespace spillway::grammar {

// `present`: the key is there. `given`: and its value could be read; what could not has been reported already, so
// checks of the meaning simply pass over it.
template <class T>
struct Field {
  T value{};
  Span where;  // of the value
  Span key;    // of its key; of the value in a list
  bool present = false;
  bool given = false;

  explicit operator bool() const noexcept { return given; }
  const T& operator*() const noexcept { return value; }
  const T* operator->() const noexcept { return &value; }
  [[nodiscard]] T value_or(const T& otherwise) const { return given ? value : otherwise; }
};

}  // namespace spillway::grammar
