// The examples by what they are of: a source each.
#pragma once

#include <span>

#include "sim/scenario/code_examples.hpp"

namespace spillway::scenario {

[[nodiscard]] std::span<const CodeExample> code_examples_of_meshes() noexcept;          // Kuma's
[[nodiscard]] std::span<const CodeExample> code_examples_of_istio() noexcept;           // and Kubernetes'
[[nodiscard]] std::span<const CodeExample> code_examples_of_envoy() noexcept;           // documents of Envoy
[[nodiscard]] std::span<const CodeExample> code_examples_of_worlds() noexcept;          // whole scenarios
[[nodiscard]] std::span<const CodeExample> more_code_examples_of_scenarios() noexcept;  // keys of scenarios
[[nodiscard]] std::span<const CodeExample> code_examples_of_situations() noexcept;      // in words

}  // namespace spillway::scenario
