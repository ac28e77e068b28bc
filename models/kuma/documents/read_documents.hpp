// From the documents as they are written to what the models take.
//
//   Documents documents = read_documents(file.policies, file.resources, release_2_14, problems);
//
// What Kuma refuses is an error (SP601, SP605), what this version cannot play too (SP602, SP302); kinds that leave the
// shares alone are ignored with a warning (SP603). Documents that were not well written are left out.
#pragma once

#include "models/documents/diagnostic.hpp"
#include "models/kuma/messages/document.hpp"

namespace spillway::kuma {

struct Documents;  // documents.hpp

[[nodiscard]] Documents read_documents(const messages::KumaDocuments& policies,
                                       const messages::KumaDocuments& resources, config::KumaProfile profile,
                                       Diagnostics& problems);

}  // namespace spillway::kuma
