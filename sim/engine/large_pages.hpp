// Allocates memory in large pages if the system has them. A random access within many megabytes then costs a cache
// miss, but no walk through the page tables.
//
//   std::vector<Record, LargePages<Record>> records(1'000'000);
//   expect_memory(200'000'000);   // what is allocated next by others, up to so many bytes
//
// Only a hint: without large pages everything works as before.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace spillway::engine {

// Allocates at least one large page, aligned to one. Throws std::bad_alloc. Precondition: `bytes` is above 0.
[[nodiscard]] void* allocate_large(std::size_t bytes);
void deallocate_large(void* memory) noexcept;

// An allocator that uses large pages; small arrays come from the heap.
template <class T>
class LargePages {
 public:
  using value_type = T;

  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>& /*other*/) noexcept {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] T* allocate(std::size_t count) {
    return is_large(count) ? static_cast<T*>(allocate_large(count * sizeof(T))) : std::allocator<T>().allocate(count);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (is_large(count)) {
      deallocate_large(memory);
    } else {
      std::allocator<T>().deallocate(memory, count);
    }
  }
  friend bool operator==(const LargePages&, const LargePages&) noexcept { return true; }

 private:
  static bool is_large(std::size_t count) noexcept {
    constexpr std::size_t worth_it = std::size_t{1} << 20U;
    return count * sizeof(T) >= worth_it;
  }
};

// Grows the heap by that much at once. Call it right before the allocations; may be called again.
void expect_memory(std::size_t bytes) noexcept;

}  // namespace spillway::engine
