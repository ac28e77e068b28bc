#include "models/envoy/api/message_fields.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace spillway::messages {
namespace {

struct ListedField {
  const char* name;
  const char* message = "";  // the message type of the field, if that is listed
};

struct ListedMessage {
  std::string_view name;  // with its package if used in a google.protobuf.Any
  std::vector<ListedField> fields;
};

// Source: the descriptors in the binary of Envoy 1.40.0.
const std::vector<ListedMessage>& messages() {
  static const std::vector<ListedMessage> all = {
      {"envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
       {{"common_tls_context", "CommonTlsContext"},
        {"sni"},
        {"auto_host_sni"},
        {"auto_sni_san_validation"},
        {"allow_renegotiation"},
        {"max_session_keys"},
        {"enforce_rsa_key_usage"}}},
      {"envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer", {}},
      {"envoy.extensions.upstreams.tcp.v3.TcpProtocolOptions", {{"idle_timeout"}}},
      {"CommonTlsContext",
       {{"tls_params", "TlsParameters"},
        {"tls_certificates", "TlsCertificate"},
        {"tls_certificate_sds_secret_configs", "SdsSecretConfig"},
        {"tls_certificate_provider_instance", "CertificateProviderPluginInstance"},
        {"custom_tls_certificate_selector", "TypedExtensionConfig"},
        {"tls_certificate_certificate_provider", "CertificateProvider"},
        {"tls_certificate_certificate_provider_instance", "CertificateProviderInstance"},
        {"validation_context", "CertificateValidationContext"},
        {"validation_context_sds_secret_config", "SdsSecretConfig"},
        {"combined_validation_context", "CombinedCertificateValidationContext"},
        {"validation_context_certificate_provider", "CertificateProvider"},
        {"validation_context_certificate_provider_instance", "CertificateProviderInstance"},
        {"alpn_protocols"},
        {"custom_handshaker", "TypedExtensionConfig"},
        {"key_log", "TlsKeyLog"}}},
      {"TlsParameters",
       {{"tls_minimum_protocol_version"},
        {"tls_maximum_protocol_version"},
        {"cipher_suites"},
        {"ecdh_curves"},
        {"signature_algorithms"},
        {"compliance_policies"}}},
      {"TlsCertificate",
       {{"certificate_chain", "DataSource"},
        {"private_key", "DataSource"},
        {"pkcs12", "DataSource"},
        {"watched_directory", "WatchedDirectory"},
        {"private_key_provider", "PrivateKeyProvider"},
        {"password", "DataSource"},
        {"ocsp_staple", "DataSource"},
        {"signed_certificate_timestamp", "DataSource"},
        {"tls_params", "TlsParameters"}}},
      {"SdsSecretConfig", {{"name"}, {"sds_config", "ConfigSource"}}},
      {"CertificateProviderPluginInstance", {{"instance_name"}, {"certificate_name"}}},
      {"TypedExtensionConfig", {{"name"}, {"typed_config"}}},
      {"CertificateProvider", {{"name"}, {"typed_config", "TypedExtensionConfig"}}},
      {"CertificateProviderInstance", {{"instance_name"}, {"certificate_name"}}},
      {"CertificateValidationContext",
       {{"trusted_ca", "DataSource"},
        {"ca_certificate_provider_instance", "CertificateProviderPluginInstance"},
        {"system_root_certs", "SystemRootCerts"},
        {"watched_directory", "WatchedDirectory"},
        {"verify_certificate_spki"},
        {"verify_certificate_hash"},
        {"match_typed_subject_alt_names", "SubjectAltNameMatcher"},
        {"match_subject_alt_names", "StringMatcher"},
        {"require_signed_certificate_timestamp"},
        {"crl", "DataSource"},
        {"allow_expired_certificate"},
        {"trust_chain_verification"},
        {"custom_validator_config", "TypedExtensionConfig"},
        {"only_verify_leaf_cert_crl"},
        {"max_verify_depth"},
        {"suppress_client_ca_list"}}},
      {"CombinedCertificateValidationContext",
       {{"default_validation_context", "CertificateValidationContext"},
        {"validation_context_sds_secret_config", "SdsSecretConfig"},
        {"validation_context_certificate_provider", "CertificateProvider"},
        {"validation_context_certificate_provider_instance", "CertificateProviderInstance"}}},
      {"TlsKeyLog", {{"path"}, {"local_address_range", "CidrRange"}, {"remote_address_range", "CidrRange"}}},
      {"DataSource",
       {{"filename"},
        {"inline_bytes"},
        {"inline_string"},
        {"environment_variable"},
        {"watched_directory", "WatchedDirectory"}}},
      {"WatchedDirectory", {{"path"}, {"watch_modify"}}},
      {"PrivateKeyProvider", {{"provider_name"}, {"typed_config"}, {"fallback"}}},
      {"ConfigSource",
       {{"authorities"},
        {"path"},
        {"path_config_source", "PathConfigSource"},
        {"api_config_source", "ApiConfigSource"},
        {"ads", "AggregatedConfigSource"},
        {"self", "SelfConfigSource"},
        {"initial_fetch_timeout"},
        {"resource_api_version"}}},
      {"SystemRootCerts", {}},
      {"SubjectAltNameMatcher", {{"san_type"}, {"matcher", "StringMatcher"}, {"oid"}}},
      {"StringMatcher",
       {{"exact"}, {"prefix"}, {"suffix"}, {"safe_regex", "RegexMatcher"}, {"contains"}, {"custom"}, {"ignore_case"}}},
      {"CidrRange", {{"address_prefix"}, {"prefix_len"}}},
      {"PathConfigSource", {{"path"}, {"watched_directory", "WatchedDirectory"}, {"poll_interval"}}},
      {"ApiConfigSource",
       {{"api_type"},
        {"transport_api_version"},
        {"cluster_names"},
        {"grpc_services"},
        {"refresh_delay"},
        {"request_timeout"},
        {"rate_limit_settings", "RateLimitSettings"},
        {"set_node_on_first_message_only"},
        {"config_validators", "TypedExtensionConfig"}}},
      {"AggregatedConfigSource", {}},
      {"SelfConfigSource", {{"transport_api_version"}}},
      {"RegexMatcher", {{"google_re2", "GoogleRE2"}, {"regex"}}},
      {"RateLimitSettings", {{"max_tokens"}, {"fill_rate"}}},
      {"GoogleRE2", {{"max_program_size"}}},
  };
  return all;
}

}  // namespace

void check_fields(const documents::Node& object, std::string_view message, Diagnostics& problems) {
  const auto known =
      std::find_if(messages().begin(), messages().end(), [&](const ListedMessage& of) { return of.name == message; });
  if (known == messages().end() || object.kind != documents::Kind::object) {
    return;
  }
  Fields fields(object, problems);
  fields.message();
  fields.without_influence({"@type"});
  for (const ListedField& field : known->fields) {
    fields.without_influence({field.name});
    const documents::Member* member = object.find(field.name);
    member = member == nullptr ? object.find(grammar::lower_camel_case(field.name)) : member;
    if (member == nullptr) {
      continue;
    }
    check_fields(member->value, field.message, problems);
    for (const documents::Node& item : member->value.items) {
      check_fields(item, field.message, problems);
    }
  }
  fields.finish();
}

bool CheckedAny::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (!AnyShape::read(node, into, what, problems)) {
    return false;
  }
  if (into.node == &node) {
    check_fields(node, into.type, problems);
  }
  return true;
}

}  // namespace spillway::messages
