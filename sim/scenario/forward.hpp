// Forward declarations of the scenario's types, for headers that only refer to them. Comments name the defining header.
#pragma once

#include <cstdint>

namespace spillway::scenario {

class ProxyConfiguration;                     // binding/envoy/proxy_configuration.hpp
struct Change;                                // change.hpp
struct EdsMembership;                         // change.hpp
struct RateChange;                            // change.hpp
struct Slow;                                  // change.hpp
struct ClientEntry;                           // client.hpp
struct ControlPlaneSetting;                   // control_plane.hpp
enum class AssignmentSharing : std::uint8_t;  // control_plane.hpp
struct Endpoint;                              // endpoint.hpp
struct Column;                                // expectation.hpp
struct ExpectedTable;                         // expectation.hpp
struct OutcomeAssertion;                      // expectation.hpp
struct Selector;                              // expectation.hpp
struct ShareAssertion;                        // expectation.hpp
struct UtilisationAssertion;                  // expectation.hpp
enum class Comparison : std::uint8_t;         // expectation.hpp
enum class Mode : std::uint8_t;               // mode.hpp
enum class Outcome : std::uint8_t;            // outcome.hpp
struct Reading;                               // read_scenario.hpp
struct Route;                                 // route.hpp
struct Scenario;                              // scenario.hpp
class ScenarioTemplate;                       // scenario_template.hpp
struct Host;                                  // service.hpp
struct Service;                               // service.hpp
struct Servers;                               // serving.hpp
class ActualState;                            // state_at.hpp
struct EdsHosts;                              // state_at.hpp
struct Failing;                               // state_at.hpp
struct Zone;                                  // topology.hpp
struct RequestKind;                           // workload.hpp
struct Workload;                              // workload.hpp

}  // namespace spillway::scenario
