#include "models/envoy/api/stateful_session.hpp"

#include "models/documents/problem.hpp"
#include "models/envoy/api/fault.hpp"
#include "models/envoy/api/header_to_metadata.hpp"
#include "models/envoy/api/route.hpp"
#include "sim/scenario/binding/routes.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::scenario::binding {

void read_filters(const messages::Route& written, Route& route, Diagnostics& problems) {
  for (const auto& filter : *written.typed_per_filter_config) {
    if (!filter.value) {
      continue;
    }
    if (filter.value->type == messages::Grammar<messages::StatefulSessionPerRoute>::definition) {
      route.stateful_session =
          messages::read_any<messages::StatefulSessionPerRoute>(*filter.value, problems).stateful_session;
    } else if (filter.value->type == messages::header_to_metadata_type) {
      route.header_to_metadata = messages::read_any<envoy::routes::HeaderToMetadata>(*filter.value, problems);
    } else if (filter.value->type == messages::fault_type) {
      const auto fault = messages::read_any<messages::FaultDelay>(*filter.value, problems);
      route.delayed_per_million = fault.per_million;
      route.delay = fault.time;
    } else {
      problems.push_back(messages::wrong_type(*filter.value, filter.value.where,
                                              "of filters StatefulSessionPerRoute, header_to_metadata's Config and "
                                              "HTTPFault are simulated"));
    }
  }
}

}  // namespace spillway::scenario::binding
