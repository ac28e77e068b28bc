// Fields of 2.14 that head has no more. It drops them without a word, as it does all fields that it does not know.
//
//   warn_of_dropped_fields(document, problems);   // warning[SP608]: head drops `name` of `targetRef`
//
// Source: Kuma's api/common/v1alpha1/targetref.go, api/mesh/v1alpha1/dataplane.proto and the policies' api folders, of
// both versions. Linear in the document.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/documents/node.hpp"

namespace spillway::kuma {

// `document`: of profile head.
void warn_of_dropped_fields(const documents::Node& document, Diagnostics& problems);

}  // namespace spillway::kuma
