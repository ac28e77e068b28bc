// Prefetches memory that will be needed soon. Affects only the running time.
//
//   prefetch_all(client);         // all of its cache lines
//   prefetch_first<128>(client);  // those of its first bytes
#pragma once

#include <cstddef>

namespace spillway::engine {

template <std::size_t bytes, class What>
void prefetch_first(const What& what) noexcept {
  constexpr std::size_t line = 64;
  for (std::size_t place = 0; place < bytes; place += line) {
    __builtin_prefetch(reinterpret_cast<const char*>(&what) + place, 1);
  }
}

template <class What>
void prefetch_all(const What& what) noexcept {
  prefetch_first<sizeof(What)>(what);
}

}  // namespace spillway::engine
