#include "models/envoy/api/stateful_session.hpp"

#include "models/documents/problem.hpp"
#include "models/envoy/api/header_to_metadata.hpp"
#include "sim/scenario/binding/routes.hpp"

namespace spillway::scenario::meaning {

void read_filters(const written::Route& written, Route& route, Diagnostics& problems) {
  for (const auto& filter : *written.typed_per_filter_config) {
    if (!filter.value) {
      continue;
    }
    if (filter.value->type == written::Grammar<written::StatefulSessionPerRoute>::definition) {
      route.stateful_session =
          written::read_any<written::StatefulSessionPerRoute>(*filter.value, problems).stateful_session;
    } else if (filter.value->type == written::header_to_metadata_type) {
      route.header_to_metadata = written::read_any<envoy::routes::HeaderToMetadata>(*filter.value, problems);
    } else {
      problems.push_back(written::wrong_type(*filter.value, filter.value.where,
                                             "of filters StatefulSessionPerRoute and header_to_metadata's Config are "
                                             "simulated"));
    }
  }
}

}  // namespace spillway::scenario::meaning
