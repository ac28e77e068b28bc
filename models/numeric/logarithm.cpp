#include "models/numeric/logarithm.hpp"

namespace spillway::numeric {

// Wider registers do not change the results. Each number gets the same additions, multiplications and division; neither
// target has fused operations.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
[[gnu::target_clones("avx2", "default")]]
#endif
void natural_logarithms(double* values, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = natural_logarithm(values[i]);
  }
}

}  // namespace spillway::numeric
