// The configuration of override host.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/envoy/policies/child_policy.hpp"
#include "models/envoy/policies/message.hpp"

namespace spillway::envoy::policies::override_host {

// A source of host addresses: exactly one field is set. Metadata is a text in the request's dynamic metadata; only the
// first key of the path is used.
struct OverrideHostSource {
  std::string header = {};
  std::optional<std::string> metadata = std::nullopt;

  using DescribesItself = void;
  static constexpr const char* definition = "OverrideHost.OverrideHostSource";
  template <class Fields>
  static void describe(Fields& fields, OverrideHostSource& source) {
    fields.optional("header", source.header, message::Text{}, "a header that names hosts");
    fields.optional("metadata", source.metadata, message::MetadataKey{}, "metadata that names hosts");
  }

  friend bool operator==(const OverrideHostSource&, const OverrideHostSource&) = default;
};

struct Config {
  std::vector<OverrideHostSource> override_host_sources = {};
  ChildPolicy fallback_policy = {};

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace spillway::envoy::policies::override_host
