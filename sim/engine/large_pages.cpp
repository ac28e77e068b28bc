#include "sim/engine/large_pages.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace spillway::engine {

namespace {

constexpr std::size_t large_page = std::size_t{1} << 21U;

}  // namespace

void* allocate_large(std::size_t bytes) {
  const std::size_t whole = (bytes + large_page - 1) / large_page * large_page;
  void* const memory = std::aligned_alloc(large_page, whole);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  (void)madvise(memory, whole, MADV_HUGEPAGE);
#endif
  return memory;
}

void deallocate_large(void* memory) noexcept {
  std::free(memory);
}

#if defined(__linux__) && defined(__GLIBC__) && defined(MADV_HUGEPAGE)

// Grows the heap once, before it is touched. Later allocations come from there until it is used up.
void expect_memory(std::size_t bytes) noexcept {
  constexpr int usual_most_mappings = 65536;
  const auto end_of_heap = [] { return static_cast<char*>(sbrk(0)); };
  char* const before = end_of_heap();
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(std::min<std::size_t>(2 * bytes, INT32_MAX)));
  mallopt(M_MMAP_MAX, 0);
  // Volatile, because a compiler may remove a malloc and free that it can pair; the heap would not grow then.
  void* volatile room = std::malloc(bytes);
  mallopt(M_MMAP_MAX, usual_most_mappings);
  char* const begin = before + (large_page - reinterpret_cast<std::uintptr_t>(before) % large_page) % large_page;
  if (char* const end = end_of_heap(); end > begin) {
    (void)madvise(begin, static_cast<std::size_t>(end - begin), MADV_HUGEPAGE);
  }
  std::free(room);
}

#else

void expect_memory(std::size_t /*bytes*/) noexcept {}

#endif

}  // namespace spillway::engine
