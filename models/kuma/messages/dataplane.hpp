// The grammar of a Dataplane, verbatim as in files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/envoy/api/grammar_of.hpp"
#include "models/kuma/names.hpp"

namespace spillway::messages {

struct Dataplane {
  static constexpr const char* definition = "Dataplane.spec";
  static constexpr const char* kind = "Dataplane";
  static constexpr bool inlined = true;
  static constexpr bool in_mesh = true;
  struct Health {
    static constexpr const char* definition = "Dataplane.Health";
    Field<bool> ready;
  };
  struct Inbound {
    static constexpr const char* definition = "Dataplane.Inbound";
    static inline const std::vector<std::string> states = {"Ready", "NotReady", "Ignored"};
    Field<std::uint32_t> port;
    Field<std::string> name;
    Field<std::string> address;
    Field<std::string> protocol;
    Field<kuma::Tags> tags;
    Field<Health> health;
    Field<std::size_t> state;  // position in `states`
  };
  struct BackendRef {
    static constexpr const char* definition = "Dataplane.BackendRef";
    static inline const std::vector<std::string> kinds = {"MeshService", "MeshMultiZoneService", "MeshExternalService"};
    Field<std::size_t> kind;  // position in `kinds`
    Field<std::string> name;
    Field<std::uint32_t> port;
    Field<kuma::Tags> labels;
  };
  struct Outbound {
    static constexpr const char* definition = "Dataplane.Outbound";
    Field<std::string> address;
    Field<std::uint32_t> port;
    Field<kuma::Tags> tags;
    Field<BackendRef> backendRef;
  };
  struct Gateway {
    static constexpr const char* definition = "Dataplane.Gateway";
    static inline const std::vector<std::string> types = {"DELEGATED", "BUILTIN"};
    Field<std::size_t> type;  // position in `types`
    Field<kuma::Tags> tags;
  };
  struct Listener {
    static constexpr const char* definition = "Dataplane.Listener";
    static inline const std::vector<std::string> types = {"ZoneIngress", "ZoneEgress"};
    static inline const std::vector<std::string> states = {"Ready", "NotReady"};
    Field<std::size_t> type;   // position in `types`
    Field<std::size_t> state;  // position in `states`
    Field<std::string> address;
    Field<std::uint32_t> port;
    Field<std::string> name;
  };
  struct Networking {
    static constexpr const char* definition = "Dataplane.Networking";
    Field<std::string> address;
    Field<std::string> advertisedAddress;
    Field<std::vector<Field<Inbound>>> inbound;
    Field<std::vector<Field<Outbound>>> outbound;
    Field<Gateway> gateway;
    Field<std::vector<Field<Listener>>> listeners;
  };
  Field<Networking> networking;
};
void describe(Fields& fields, Dataplane::Health& health);
void describe(Fields& fields, Dataplane::Inbound& inbound);
void describe(Fields& fields, Dataplane::BackendRef& reference);
void describe(Fields& fields, Dataplane::Outbound& outbound);
void describe(Fields& fields, Dataplane::Gateway& gateway);
void describe(Fields& fields, Dataplane::Listener& listener);
void describe(Fields& fields, Dataplane::Networking& networking);
void describe(Fields& fields, Dataplane& dataplane);

}  // namespace spillway::messages
