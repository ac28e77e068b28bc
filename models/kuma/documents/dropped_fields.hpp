// Warnings about fields of 2.14 that no longer exist in head. Head drops them silently, as it does all unknown fields.
//
//   warn_of_dropped_fields(document, problems);   // warning[SP608]: head drops `name` of `targetRef`
//
// Source: Kuma's api/common/v1alpha1/targetref.go, api/mesh/v1alpha1/dataplane.proto and the policies' api folders, of
// both versions. Linear in the document.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::kuma {

// Adds the warnings. Precondition: the profile of `document` is head.
void warn_of_dropped_fields(const documents::Node& document, Diagnostics& problems);

}  // namespace spillway::kuma
