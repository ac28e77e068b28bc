#include "models/envoy/api/refused_tls.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/api/api_values.hpp"
#include "models/envoy/api/pem.hpp"

namespace spillway::api {
namespace {

// Returns what a source contains; nullopt if it is a file or the environment, or was redacted.
std::optional<std::string> inline_text(const MessageView& source) {
  const bool is_bytes = source.has("inline_bytes");
  const std::string text = is_bytes ? bytes_of_base64(source.text("inline_bytes")) : source.text("inline_string");
  const bool is_there = is_bytes || source.has("inline_string");
  return is_there && text != "[redacted]" ? std::optional(text) : std::nullopt;
}

// Returns a static secret's message, which is refused if the bootstrap does not have it. `kind`: the field of a Secret.
MessageView static_secret(const MessageView& reference, const char* kind, const std::string& words,
                          CheckedDocument& document) {
  if (!reference.exists() || reference.has("sds_config") || !document.bootstrap.exists()) {
    return {};
  }
  const std::string name = reference.text("name");
  for (const MessageView& secret : document.bootstrap.message("static_resources").items("secrets")) {
    if (secret.text("name") == name && secret.has(kind)) {
      return secret.message(kind);
    }
  }
  document.refuse(reference.node().span, words + name);
  return {};
}

void check_protocols(const MessageView& context, CheckedDocument& document) {
  constexpr std::size_t longest = 255;
  for (const MessageView& protocol : context.items("alpn_protocols")) {
    for (std::string_view rest = protocol.node().text; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (comma > longest) {
        document.refuse(protocol.node().span, "Invalid ALPN protocol string");
      }
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
}

bool is_hash_in_hex(std::string text) {
  constexpr std::size_t digits = 64;
  constexpr std::size_t with_colons = 95;
  if (text.size() == with_colons) {
    for (std::size_t i = 2; i < text.size(); i += 2) {
      if (text[i] != ':') {
        return false;
      }
      text.erase(i, 1);
    }
  }
  return text.size() == digits && std::all_of(text.begin(), text.end(), [](char letter) {
           return std::isxdigit(static_cast<unsigned char>(letter)) != 0;
         });
}

// Base64 of 32 bytes: 43 letters and a `=`, of which the last letter has no bits beyond these.
bool is_hash_in_base64(const std::string& text) {
  constexpr std::size_t letters = 43;
  constexpr std::string_view last = "AEIMQUYcgkosw048";
  return text.size() == letters + 1 && text.ends_with('=') && is_base64(text) &&
         last.find(text[letters - 1]) != std::string_view::npos;
}

void check_validation_context(const MessageView& context, CheckedDocument& document) {
  for (const MessageView& hash : context.items("verify_certificate_hash")) {
    if (!is_hash_in_hex(hash.node().text)) {
      document.refuse(hash.node().span, "Invalid hex-encoded SHA-256 " + hash.node().text);
    }
  }
  for (const MessageView& hash : context.items("verify_certificate_spki")) {
    if (!is_hash_in_base64(hash.node().text)) {
      document.refuse(hash.node().span, "Invalid base64-encoded SHA-256 " + hash.node().text);
    }
  }
  for (const MessageView& name : context.items("match_typed_subject_alt_names")) {
    const std::string identifier = name.text("oid");
    if (name.is("san_type", "OTHER_NAME", 5) && !is_object_identifier(identifier)) {
      document.refuse(name.node().span, "Failed to create SAN matcher for OTHER_NAME with OID: " + identifier);
    }
  }
}

void check_authorities(const MessageView& source, const std::string& words, CheckedDocument& document) {
  if (const auto text = inline_text(source); text && !has_certificates(*text)) {
    document.refuse(source.node().span, words);
  }
}

// Refuses what needs an authority and has none.
void check_validation(const MessageView& validation, CheckedDocument& document) {
  if (!validation.exists()) {
    return;
  }
  const MessageView custom = validation.message("custom_validator_config");
  constexpr std::string_view package = "envoy.tls.cert_validator.";
  const std::string name = custom.text("name");
  const std::string_view own = name.starts_with(package) ? std::string_view(name).substr(package.size()) : "";
  if (custom.exists() && own != "default" && own != "spiffe" && own != "dynamic_modules") {
    document.refuse(custom.place("name"), "Failed to get certificate validator factory for " + name);
  }
  if (const MessageView authority = validation.message("trusted_ca"); authority.exists()) {
    check_authorities(authority, "Failed to load trusted CA certificates from <inline>", document);
    return;
  }
  if (custom.exists() || validation.has("ca_certificate_provider_instance") || validation.has("system_root_certs")) {
    return;
  }
  if (validation.has("crl")) {
    document.refuse(validation.place("crl"), "Failed to load CRL from <inline> without trusted CA");
  }
  for (const char* const names : {"match_typed_subject_alt_names", "match_subject_alt_names"}) {
    if (!validation.items(names).empty()) {
      document.refuse(validation.place(names),
                      "SAN-based verification of peer certificates without trusted CA is insecure and not allowed");
    }
  }
  if (validation.flag("allow_expired_certificate")) {
    document.refuse(validation.place("allow_expired_certificate"),
                    "Certificate validity period is always ignored without trusted CA");
  }
}

void check_spiffe(const MessageView& validator, CheckedDocument& document) {
  if (const MessageView bundles = validator.message("trust_bundles"); bundles.exists()) {
    const auto text = inline_text(bundles);
    const std::size_t domains = text ? text->find("\"trust_domains\"") : 0;
    const std::size_t first = text ? text->find_first_not_of(" \t\r\n:{", text->find(':', domains)) : 0;
    if (text && domains == std::string::npos) {
      document.refuse(bundles.node().span, "Invalid JSON found in SPIFFE bundle");
    } else if (text && first != std::string::npos && (*text)[first] == '}') {
      document.refuse(bundles.node().span, "No trust domains found in SPIFFE bundle");
    }
    return;
  }
  std::set<std::string> names;
  for (const MessageView& domain : validator.items("trust_domains")) {
    const std::string name = domain.text("name");
    if (!names.insert(name).second) {
      document.refuse(domain.place("name"), "Multiple trust bundles are given for one trust domain for " + name);
    }
    if (const MessageView bundle = domain.message("trust_bundle"); bundle.exists()) {
      check_authorities(bundle, "Failed to load trusted CA certificate for " + name, document);
    } else {
      document.refuse(domain.node().span, "Failed to load trusted CA certificate for " + name);
    }
  }
}

void check_upstream_context(const MessageView& context, CheckedDocument& document) {
  const MessageView common = context.message("common_tls_context");
  if (common.items("tls_certificates").size() + common.items("tls_certificate_sds_secret_configs").size() > 1) {
    document.refuse(common.node().span, "Multiple TLS certificates are not supported for client contexts");
  }
  const bool validates =
      common.has("combined_validation_context") || common.has("validation_context_sds_secret_config");
  if (context.flag("auto_sni_san_validation") && !validates &&
      !common.message("validation_context").has("trusted_ca")) {
    document.refuse(context.place("auto_sni_san_validation"),
                    common.has("validation_context")
                        ? "'auto_sni_san_validation' was configured without configuring a trusted CA"
                        : "'auto_sni_san_validation' was configured without a validation context");
  }
}

void check_certificate(const MessageView& certificate, CheckedDocument& document) {
  const MessageView chain = certificate.message("certificate_chain");
  const MessageView key = certificate.message("private_key");
  if (const MessageView staple = certificate.message("ocsp_staple"); staple.has("inline_string")) {
    document.refuse(staple.node().span, "OCSP staple cannot be provided via inline_string");
  }
  if (certificate.has("pkcs12") || certificate.has("private_key_provider")) {
    return;
  }
  if (chain.exists() != key.exists()) {
    document.refuse(certificate.node().span,
                    chain.exists() ? "Failed to load incomplete private key from path: "
                                   : "Failed to load incomplete certificate from : certificate chain not set");
    return;
  }
  const auto chain_text = inline_text(chain);
  const auto key_text = inline_text(key);
  const bool is_locked = certificate.has("password") && !inline_text(certificate.message("password"));
  if (!chain_text || !key_text || is_locked) {
    return;
  }
  const std::string fault = fault_of_key_pair(*chain_text, *key_text, inline_text(certificate.message("password")));
  if (!fault.empty()) {
    const bool is_key = fault.find("private key") != std::string::npos;
    document.refuse((is_key ? key : chain).node().span, fault);
  }
}

void check_common_context(const MessageView& context, CheckedDocument& document) {
  check_protocols(context, document);
  std::vector<MessageView> certificates = context.items("tls_certificates");
  for (const MessageView& secret : context.items("tls_certificate_sds_secret_configs")) {
    certificates.push_back(static_secret(secret, "tls_certificate", "Unknown static secret: ", document));
  }
  for (const MessageView& certificate : certificates) {
    check_certificate(certificate, document);
  }
  check_validation(context.message("validation_context"), document);
  for (const MessageView& owner : {context, context.message("combined_validation_context")}) {
    check_validation(static_secret(owner.message("validation_context_sds_secret_config"), "validation_context",
                                   "Unknown static certificate validation context: ", document),
                     document);
  }
}

void check_parameters(const MessageView& parameters, CheckedDocument& document) {
  const auto check = [&](const char* field, std::string (*fault_of)(const std::vector<std::string>&)) {
    std::vector<std::string> texts;
    for (const MessageView& item : parameters.items(field)) {
      texts.push_back(item.node().text);
    }
    if (const std::string fault = fault_of(texts); !texts.empty() && !fault.empty()) {
      document.refuse(parameters.place(field), fault);
    }
  };
  check("cipher_suites", fault_of_ciphers);
  check("ecdh_curves", fault_of_curves);
  check("signature_algorithms", fault_of_signatures);
}

void check_ticket_keys(const MessageView& tickets, CheckedDocument& document) {
  constexpr std::size_t length = 80;
  for (const MessageView& key : tickets.items("keys")) {
    if (const auto text = inline_text(key); text && text->size() != length) {
      document.refuse(key.node().span, "Incorrect TLS session ticket key length. Length " +
                                           std::to_string(text->size()) + ", expected length 80.");
    }
  }
}

void check_downstream_context(const MessageView& context, CheckedDocument& document) {
  const MessageView common = context.message("common_tls_context");
  static_secret(context.message("session_ticket_keys_sds_secret_config"), "session_ticket_keys",
                "Unknown tls session ticket keys: ", document);
  const MessageView selector = common.message("custom_tls_certificate_selector");
  if (selector.message("typed_config").any_type().find(".on_demand_secret.") != std::string::npos &&
      !(context.flag("disable_stateless_session_resumption") && context.flag("disable_stateful_session_resumption"))) {
    document.refuse(selector.node().span, "On demand certificates are not integrated with session resumption support.");
  }
  const auto certificates = common.items("tls_certificates");
  const bool from_elsewhere = !common.items("tls_certificate_sds_secret_configs").empty();
  if (certificates.empty() && !from_elsewhere && !common.has("custom_tls_certificate_selector")) {
    document.refuse(context.node().span, "No TLS certificates found for server context");
  } else if (!certificates.empty() && from_elsewhere) {
    document.refuse(common.node().span, "SDS and non-SDS TLS certificates may not be mixed in server contexts");
  }
  for (const MessageView& certificate : certificates) {
    if (context.is("ocsp_staple_policy", "MUST_STAPLE", 2) && !certificate.has("ocsp_staple")) {
      document.refuse(certificate.node().span, "Required OCSP response is missing from TLS context");
    }
    if (certificate.node().members.empty()) {
      document.refuse(certificate.node().span, "Server TlsCertificates must have a certificate specified");
    }
  }
}

}  // namespace

std::span<const RefusedMessage> refused_in_tls() noexcept {
  static constexpr auto messages = std::to_array<RefusedMessage>({
      {"envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext", check_validation_context},
      {"envoy.extensions.transport_sockets.tls.v3.CommonTlsContext", check_common_context},
      {"envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext", check_downstream_context},
      {"envoy.extensions.transport_sockets.tls.v3.SPIFFECertValidatorConfig", check_spiffe},
      {"envoy.extensions.transport_sockets.tls.v3.TlsParameters", check_parameters},
      {"envoy.extensions.transport_sockets.tls.v3.TlsSessionTicketKeys", check_ticket_keys},
      {"envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext", check_upstream_context},
  });
  return messages;
}

}  // namespace spillway::api
