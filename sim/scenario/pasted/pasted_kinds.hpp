// The kinds of documents that worlds are made of, and the API groups of other programs.
#pragma once

#include <string_view>

namespace spillway::scenario::pasted {

// True for a kind of Kubernetes, Istio or the Gateway API that is read; others do not move requests of sidecars.
[[nodiscard]] bool is_kind_of_worlds(std::string_view kind);

// True for a kind of Kuma that is read.
[[nodiscard]] bool is_kind_of_kuma(std::string_view kind);

// True for an `apiVersion` of a program whose documents say where requests go, in their own words.
[[nodiscard]] bool is_group_of_others(std::string_view version);

// True for documents of which it is known that they move no requests. What others do is not known.
[[nodiscard]] bool is_known_to_move_nothing(std::string_view version, std::string_view kind);

}  // namespace spillway::scenario::pasted
