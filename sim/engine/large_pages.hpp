// Memory in large pages, where the system has them: what is looked up at random in many megabytes then costs a cache
// miss and no walk through the page tables besides.
//
//   std::vector<Record, LargePages<Record>> records(1'000'000);
//   expect_memory(200'000'000);   // what is allocated next by others, up to so many bytes
//
// Nothing but a hint: without large pages everything is as it was.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace spillway::engine {

// Of at least a large page, aligned to one; bytes is above 0. Throws std::bad_alloc.
[[nodiscard]] void* allocate_large(std::size_t bytes);
void deallocate_large(void* memory) noexcept;

// Small arrays come from the heap.
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

// Right before that: the heap grows by so much at once. May be called again.
void expect_memory(std::size_t bytes) noexcept;

}  // namespace spillway::engine
