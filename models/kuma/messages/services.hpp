// The grammars of destinations, verbatim as in files: MeshService, MeshMultiZoneService, MeshExternalService and
// ExternalService.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/envoy/api/grammar_of.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/names.hpp"

namespace spillway::messages {

// An entry of spec.ports[] of a MeshService; that of a MeshMultiZoneService follows.
struct MeshServicePort {
  static constexpr const char* definition = "MeshService.Port";
  Field<std::string> name;
  Field<std::uint32_t> port;
  Field<kuma::IntOrString> targetPort;
  Field<std::string> appProtocol;
};
void describe(Fields& fields, MeshServicePort& port);

struct MeshMultiZoneServicePort {
  static constexpr const char* definition = "MeshMultiZoneService.Port";
  Field<std::string> name;
  Field<std::uint32_t> port;
  Field<std::string> appProtocol;
};
void describe(Fields& fields, MeshMultiZoneServicePort& port);

struct LabelSelector {
  static constexpr const char* definition = "kuma.LabelSelector";
  Field<kuma::Tags> matchLabels;
};
void describe(Fields& fields, LabelSelector& selector);

struct MeshService {
  static constexpr const char* definition = "MeshService.spec";
  static constexpr const char* kind = "MeshService";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  static inline const std::vector<std::string> states = {"Available", "Unavailable"};
  struct DataplaneRef {
    static constexpr const char* definition = "MeshService.DataplaneRef";
    Field<std::string> name;
  };
  struct Selector {
    static constexpr const char* definition = "MeshService.Selector";
    Field<kuma::Tags> dataplaneTags;
    Field<DataplaneRef> dataplaneRef;
    Field<LabelSelector> dataplaneLabels;
  };
  Field<std::size_t> state;  // position in `states`
  Field<Selector> selector;
  Field<std::vector<Field<MeshServicePort>>> ports;
};
void describe(Fields& fields, MeshService::DataplaneRef& reference);
void describe(Fields& fields, MeshService::Selector& selector);
void describe(Fields& fields, MeshService& service);

struct MeshMultiZoneService {
  static constexpr const char* definition = "MeshMultiZoneService.spec";
  static constexpr const char* kind = "MeshMultiZoneService";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  struct Selector {
    static constexpr const char* definition = "MeshMultiZoneService.Selector";
    Field<LabelSelector> meshService;
  };
  struct MatchedMeshService {
    static constexpr const char* definition = "MeshMultiZoneService.MatchedMeshService";
    Field<std::string> name;
    Field<std::string> name_space;  // namespace
    Field<std::string> zone;
    Field<std::string> mesh;
  };
  struct Status {
    static constexpr const char* definition = "MeshMultiZoneService.status";
    Field<std::vector<Field<MatchedMeshService>>> meshServices;
  };
  Field<Selector> selector;
  Field<std::vector<Field<MeshMultiZoneServicePort>>> ports;
  Field<Status> status;  // next to the spec
};
void describe(Fields& fields, MeshMultiZoneService::Selector& selector);
void describe(Fields& fields, MeshMultiZoneService::MatchedMeshService& service);
void describe(Fields& fields, MeshMultiZoneService::Status& status);
void describe(Fields& fields, MeshMultiZoneService& service);

struct MeshExternalService {
  static constexpr const char* definition = "MeshExternalService.spec";
  static constexpr const char* kind = "MeshExternalService";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  struct Match {
    static constexpr const char* definition = "MeshExternalService.Match";
    Field<std::uint32_t> port;
    Field<std::string> protocol;
  };
  struct Endpoint {
    static constexpr const char* definition = "MeshExternalService.Endpoint";
    Field<std::string> address;
    Field<std::uint32_t> port;
    Field<std::uint32_t> priority;
  };
  Field<Match> match;
  Field<std::vector<Field<Endpoint>>> endpoints;
};
void describe(Fields& fields, MeshExternalService::Match& match);
void describe(Fields& fields, MeshExternalService::Endpoint& endpoint);
void describe(Fields& fields, MeshExternalService& service);

struct ExternalService {
  static constexpr const char* definition = "ExternalService.spec";
  static constexpr const char* kind = "ExternalService";
  static constexpr bool inlined = true;
  static constexpr bool in_mesh = true;
  struct Networking {
    static constexpr const char* definition = "ExternalService.Networking";
    Field<std::string> address;
  };
  Field<Networking> networking;
  Field<kuma::Tags> tags;
};
void describe(Fields& fields, ExternalService::Networking& networking);
void describe(Fields& fields, ExternalService& service);

}  // namespace spillway::messages
