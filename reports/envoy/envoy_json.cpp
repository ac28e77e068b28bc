#include "reports/envoy/envoy_json.hpp"

namespace spillway::reports::envoy_export {

Json any_json(const std::string& type, const Json& message) {
  Json any = {{"@type", "type.googleapis.com/" + type}};
  any.add_members_of(message);
  return any;
}

Json extension_json(const std::string& name, const std::string& type, const Json& message) {
  return {{"name", name}, {"typed_config", any_json(type, message)}};
}

Json socket_address_json(const std::string& ip, std::uint32_t port) {
  return {{"socket_address", {{"address", ip}, {"port_value", port}}}};
}

}  // namespace spillway::reports::envoy_export
