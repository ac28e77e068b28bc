#include "reports/envoy/envoy_json.hpp"

#include <fmt/format.h>
#include <utility>

namespace spillway::reports::envoy_export {
namespace {

Json value_json(const config::Value& value) {
  if (const std::string* text = value.as_string()) {
    return *text;
  }
  if (const double* number = value.as_number()) {
    return *number;
  }
  if (const bool* flag = value.as_bool()) {
    return *flag;
  }
  if (const config::Struct* fields = value.as_struct()) {
    return struct_json(*fields);
  }
  if (const config::Value::List* list = value.as_list()) {
    Json array = Json::array();
    for (const config::Value& element : *list) {
      array.push_back(value_json(element));
    }
    return array;
  }
  return nullptr;
}

}  // namespace

Json duration_json(std::chrono::nanoseconds time) {
  constexpr std::int64_t in_a_second = 1'000'000'000;
  const std::int64_t fraction = time.count() % in_a_second;
  const std::int64_t whole = time.count() / in_a_second;
  if (fraction == 0) {
    return fmt::format("{}s", whole);
  }
  std::string text = fmt::format("{}.{:09}", whole, fraction);
  text.erase(text.find_last_not_of('0') + 1);
  return text + "s";
}

Json percent_json(config::Percent percent) {
  return {{"value", percent.value}};
}

Json locality_json(const config::Locality& locality) {
  return {{"region", locality.region}, {"zone", locality.zone}, {"sub_zone", locality.sub_zone}};
}

Json struct_json(const config::Struct& fields) {
  Json object = Json::object();
  for (const config::Field& field : fields.fields()) {
    object[field.name] = value_json(field.value);
  }
  return object;
}

Json lb_metadata_json(const config::Struct& fields) {
  return {{"filter_metadata", {{"envoy.lb", struct_json(fields)}}}};
}

Json any_json(const std::string& type, const Json& message) {
  Json any = {{"@type", "type.googleapis.com/" + type}};
  any.update(message);
  return any;
}

Json extension_json(const std::string& name, const std::string& type, Json message) {
  return {{"name", name}, {"typed_config", any_json(type, std::move(message))}};
}

Json runtime_double_json(double value) {
  return {{"default_value", value}, {"runtime_key", "spillway.unset"}};
}

Json socket_address_json(const std::string& ip, std::uint32_t port) {
  return {{"socket_address", {{"address", ip}, {"port_value", port}}}};
}

}  // namespace spillway::reports::envoy_export
