#include "models/envoy/api/retry_extensions.hpp"

#include <string>
#include <type_traits>

#include "models/documents/problem.hpp"
#include "models/envoy/api/metadata.hpp"

namespace spillway::messages {

using grammar::Record;
using grammar::Whole;

namespace {

// An extension whose configuration is optional.
struct Extension {
  static constexpr const char* definition = "envoy.config.route.v3.RetryPolicy.RetryHostPredicate";
  Field<std::string> name;
  Field<AnyMessage> typed_config;
};
void describe(Fields& fields, Extension& extension) {
  fields.message();
  fields.formerly("config", "typed_config");
  fields.required("name", extension.name, not_empty, "name of the extension");
  fields.optional("typed_config", extension.typed_config, AnyShape{}, "its configuration");
}

struct Name {
  const char* name;
  const char* type;
};
constexpr Name previous_hosts{"envoy.retry_host_predicates.previous_hosts",
                              "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"};
constexpr Name omit_canary_hosts{"envoy.retry_host_predicates.omit_canary_hosts",
                                 "envoy.extensions.retry.host.omit_canary_hosts.v3.OmitCanaryHostsPredicate"};
constexpr Name omit_host_metadata{"envoy.retry_host_predicates.omit_host_metadata",
                                  "envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig"};
constexpr Name previous_priorities{"envoy.retry_priorities.previous_priorities",
                                   "envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig"};

// True if this is the named extension: by the type of its configuration or, without one, by its name.
bool is(const Extension& extension, const Name& name) {
  return extension.typed_config.present ? extension.typed_config->type == name.type : extension.name.value == name.name;
}

void refuse(const Extension& extension, const char* which, Diagnostics& problems) {
  if (extension.typed_config) {
    problems.push_back(wrong_type(*extension.typed_config, extension.typed_config.where, which));
  } else if (extension.name && !extension.typed_config.present) {
    problems.error("SP302", extension.name.where, "`{}` is not supported yet", "{}", {*extension.name, which});
  }
}

documents::Node written_extension(const Name& name, const documents::Node& config) {
  documents::Node extension;
  Fields fields(extension);
  fields.write("name", grammar::Text{}.write(name.name));
  fields.write("typed_config", write_any(name.type, config));
  return extension;
}

struct OmitHostMetadata {
  Field<Metadata> metadata_match;
};
void describe(Fields& fields, OmitHostMetadata& config) {
  fields.message();
  fields.optional("metadata_match", config.metadata_match, Record<Metadata>{}, "hosts with all of it are omitted");
}

struct PreviousPriorities {
  Field<std::uint64_t> update_frequency;
};
void describe(Fields& fields, PreviousPriorities& config) {
  fields.message();
  fields.optional("update_frequency", config.update_frequency,
                  Whole{1, 2'147'483'647,
                        "Envoy refuses others: PreviousPrioritiesConfigValidationError.UpdateFrequency: value must be "
                        "greater than 0"},
                  "number of attempts after which priorities are excluded");
}

}  // namespace

bool HostPredicate::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  Extension extension;
  if (!Record<Extension>{}.read(node, extension, what, problems)) {
    return false;
  }
  if (is(extension, previous_hosts)) {
    into = config::PreviousHosts{};
  } else if (is(extension, omit_canary_hosts)) {
    into = config::OmitCanaryHosts{};
  } else if (is(extension, omit_host_metadata)) {
    OmitHostMetadata omitted;
    if (extension.typed_config) {
      read_any(*extension.typed_config, omitted, problems);
    }
    into = config::OmitHostMetadata{omitted.metadata_match->filter_metadata.value};
  } else {
    refuse(extension, "must be previous_hosts, omit_canary_hosts or omit_host_metadata", problems);
    return false;
  }
  return true;
}

grammar::Schema HostPredicate::schema(grammar::Definitions& definitions) const {
  return Record<Extension>{}.schema(definitions);
}

documents::Node HostPredicate::write(const Value& value) const {
  return std::visit(
      [](const auto& predicate) {
        using Predicate = std::decay_t<decltype(predicate)>;
        documents::Node config;
        if constexpr (std::is_same_v<Predicate, config::PreviousHosts>) {
          return written_extension(previous_hosts, config);
        } else if constexpr (std::is_same_v<Predicate, config::OmitCanaryHosts>) {
          return written_extension(omit_canary_hosts, config);
        } else {
          if (!predicate.metadata_match.empty()) {
            Fields(config).write("metadata_match", LbMetadata{}.write(predicate.metadata_match));
          }
          return written_extension(omit_host_metadata, config);
        }
      },
      value);
}

bool RetryPriority::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  Extension extension;
  if (!Record<Extension>{}.read(node, extension, what, problems)) {
    return false;
  }
  if (!is(extension, previous_priorities)) {
    refuse(extension, "must be previous_priorities", problems);
    return false;
  }
  PreviousPriorities config;
  if (extension.typed_config) {
    read_any(*extension.typed_config, config, problems);
  }
  if (!config.update_frequency.present) {
    problems.error("SP139", node.span, "Envoy refuses this retry priority",
                   "PreviousPrioritiesConfigValidationError.UpdateFrequency: value must be greater than 0");
  }
  into = static_cast<Value>(config.update_frequency.value_or(1));
  return true;
}

grammar::Schema RetryPriority::schema(grammar::Definitions& definitions) const {
  return Record<Extension>{}.schema(definitions);
}

documents::Node RetryPriority::write(const Value& value) const {
  return written_extension(previous_priorities, message_with("update_frequency", Whole{}.write(value)));
}

}  // namespace spillway::messages
