// Joins the confs of several policies into one: JSON merge patch (RFC 7396).
//
//   Conf conf = least_specific;
//   merge_patch(conf, most_specific);   // what the second says, wins
//
// Objects merge field by field; scalars and lists, even empty lists, are replaced whole. No field can be unset.
// Source: docs/behaviour/kuma.md 3; Kuma's rules/merge/merge.go. Linear in the size of the patch.
#pragma once

#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

void merge_patch(Conf& conf, const Conf& patch);

}  // namespace spillway::kuma
