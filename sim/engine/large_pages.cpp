#include "sim/engine/large_pages.hpp"

#if defined(__linux__) && defined(__GLIBC__)
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace spillway::engine {

#if defined(__linux__) && defined(__GLIBC__) && defined(MADV_HUGEPAGE)

// The heap grows once, before any of it is touched, and takes its memory from there until it is used up.
void expect_memory(std::size_t bytes) noexcept {
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21U;
  constexpr int usual_most_mappings = 65536;
  const auto end_of_heap = [] { return reinterpret_cast<std::uintptr_t>(sbrk(0)); };
  const std::uintptr_t before = end_of_heap();
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(std::min<std::size_t>(2 * bytes, INT32_MAX)));
  mallopt(M_MMAP_MAX, 0);
  // Volatile: a compiler may leave out a pair of malloc and free that it can see, and the heap would not grow.
  void* volatile room = std::malloc(bytes);
  mallopt(M_MMAP_MAX, usual_most_mappings);
  const std::uintptr_t begin = (before + page - 1) / page * page;
  if (const std::uintptr_t end = end_of_heap(); end > begin) {
    (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
  std::free(room);
}

#else

void expect_memory(std::size_t /*bytes*/) noexcept {}

#endif

}  // namespace spillway::engine
