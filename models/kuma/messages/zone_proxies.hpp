// The grammars of zone proxies, verbatim as in files: ZoneIngress, ZoneEgress and MeshZoneAddress.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/envoy/api/grammar_of.hpp"
#include "models/kuma/names.hpp"

namespace spillway::messages {

struct ZoneIngress {
  static constexpr const char* definition = "ZoneIngress.spec";
  static constexpr const char* kind = "ZoneIngress";
  static constexpr bool inlined = true;
  static constexpr bool in_mesh = false;
  struct Networking {
    static constexpr const char* definition = "ZoneIngress.Networking";
    Field<std::string> advertisedAddress;
    Field<std::uint32_t> advertisedPort;
  };
  struct AvailableService {
    static constexpr const char* definition = "ZoneIngress.AvailableService";
    Field<kuma::Tags> tags;
    Field<std::uint32_t> instances;
    Field<std::string> mesh;
    Field<bool> externalService;
  };
  Field<std::string> zone;
  Field<Networking> networking;
  Field<std::vector<Field<AvailableService>>> availableServices;
};
void describe(Fields& fields, ZoneIngress::Networking& networking);
void describe(Fields& fields, ZoneIngress::AvailableService& service);
void describe(Fields& fields, ZoneIngress& ingress);

struct ZoneEgress {
  static constexpr const char* definition = "ZoneEgress.spec";
  static constexpr const char* kind = "ZoneEgress";
  static constexpr bool inlined = true;
  static constexpr bool in_mesh = false;
  struct Networking {
    static constexpr const char* definition = "ZoneEgress.Networking";
    Field<std::string> address;
    Field<std::uint32_t> port;
  };
  Field<std::string> zone;
  Field<Networking> networking;
};
void describe(Fields& fields, ZoneEgress::Networking& networking);
void describe(Fields& fields, ZoneEgress& egress);

struct MeshZoneAddress {
  static constexpr const char* definition = "MeshZoneAddress.spec";
  static constexpr const char* kind = "MeshZoneAddress";
  static constexpr bool inlined = false;
  static constexpr bool in_mesh = true;
  Field<std::string> address;
  Field<std::uint32_t> port;
};
void describe(Fields& fields, MeshZoneAddress& address);

}  // namespace spillway::messages
