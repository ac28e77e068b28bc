// Converts the documents as written into the types of the models.
//
//   Documents documents = read_documents(file.policies, file.resources, release_2_14, problems);
//
// Documents that Kuma refuses are errors (SP601, SP605), and so is anything that this version cannot simulate (SP602,
// SP302). Kinds that do not affect the shares are ignored with a warning (SP603). Documents with errors of form are
// left out.
#pragma once

#include "models/config/profile.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/kuma/messages/document.hpp"

namespace spillway::kuma {

struct Documents;  // documents.hpp

[[nodiscard]] Documents read_documents(const messages::KumaDocuments& policies,
                                       const messages::KumaDocuments& resources, config::KumaProfile profile,
                                       Diagnostics& problems);

}  // namespace spillway::kuma
