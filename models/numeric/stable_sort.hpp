// Sorts a vector stably. Replaces std::stable_sort, because libstdc++ 12 implements it with functions that its own
// headers deprecate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace spillway::numeric {

template <class T, class Less>
void stable_sort(std::vector<T>& values, Less less) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return less(values[a], values[b]) || (!less(values[b], values[a]) && a < b);
  });
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const std::size_t position : order) {
    sorted.push_back(std::move(values[position]));
  }
  values = std::move(sorted);
}

}  // namespace spillway::numeric
