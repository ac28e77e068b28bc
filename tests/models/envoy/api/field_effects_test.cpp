// The data file of field effects against the tables of Envoy's API.
#include "models/envoy/api/field_effects.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

namespace spillway::api {

TEST_CASE("every field of a message in the data file has exactly one line", "[envoy][effects]") {
  Tables tables;
  std::size_t messages = 0;
  for (const auto& [name, lines] : effect_blocks()) {
    const ApiMessage* const message = tables.message(name);
    if (message == nullptr) {
      CHECK((name == listener_filters || name == network_filters || name == http_filters));
      continue;
    }
    ++messages;
    const std::vector<FieldEffect>& effects = effects_of(name);
    for (const ApiField& field : message->fields) {
      INFO(name << "." << field.name);
      const auto own = std::count_if(effects.begin(), effects.end(),
                                     [&](const FieldEffect& effect) { return effect.name == field.name; });
      CHECK(own == (field.disallowed ? 0 : 1));
    }
    for (const FieldEffect& effect : effects) {
      INFO(name << "." << effect.name);
      CHECK(message->field(effect.name) != nullptr);
    }
  }
  CHECK(messages == 11);
}

TEST_CASE("types of filters in the data file are Envoy's, or those of Istio's proxy", "[envoy][effects]") {
  const std::vector<std::string_view> names = message_names();
  for (const std::string_view kind : {listener_filters, network_filters, http_filters}) {
    REQUIRE_FALSE(effects_of(kind).empty());
    for (const FieldEffect& effect : effects_of(kind)) {
      if (!effect.name.ends_with(".*") || !effect.name.starts_with("envoy.extensions.")) {
        continue;
      }
      INFO(effect.name);
      const std::string_view start = effect.name.substr(0, effect.name.size() - 1);
      CHECK(std::any_of(names.begin(), names.end(), [&](std::string_view name) { return name.starts_with(start); }));
    }
  }
}

TEST_CASE("an effect has its parts, headers and conditions", "[envoy][effects]") {
  const FieldEffect via =
      effect_of("envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager", "via");
  CHECK(via.effect == Effect::changes);
  CHECK(via.parts == (part::headers | part::route));
  CHECK(via.written == "via");
  const FieldEffect fault = effect_of(http_filters, "envoy.extensions.filters.http.fault.v3.HTTPFault");
  CHECK(fault.effect == Effect::answers);
  CHECK(fault.needs == "abort,delay");
  const FieldEffect unknown = effect_of(http_filters, "my.Filter");
  CHECK(unknown.effect == Effect::both);
  CHECK(unknown.parts == part::anything);
}

}  // namespace spillway::api
