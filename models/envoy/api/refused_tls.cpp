#include "models/envoy/api/refused_tls.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace spillway::api {
namespace {

// Refuses a secret without a source of its own that the bootstrap does not have. `kind`: the field of a Secret.
void refuse_missing_secret(const MessageView& secret, const char* kind, const std::string& words,
                           CheckedDocument& document) {
  if (!secret.exists() || secret.has("sds_config") || !document.bootstrap.exists()) {
    return;
  }
  const auto secrets = document.bootstrap.message("static_resources").items("secrets");
  const std::string name = secret.text("name");
  const bool is_known = std::any_of(secrets.begin(), secrets.end(),
                                    [&](const MessageView& one) { return one.text("name") == name && one.has(kind); });
  if (!is_known) {
    document.refuse(secret.node().span, words + name);
  }
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

void check_common_context(const MessageView& context, CheckedDocument& document) {
  check_protocols(context, document);
  for (const MessageView& secret : context.items("tls_certificate_sds_secret_configs")) {
    refuse_missing_secret(secret, "tls_certificate", "Unknown static secret: ", document);
  }
  const std::string unknown = "Unknown static certificate validation context: ";
  for (const MessageView& owner : {context, context.message("combined_validation_context")}) {
    refuse_missing_secret(owner.message("validation_context_sds_secret_config"), "validation_context", unknown,
                          document);
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
  const MessageView authority = context.message("trusted_ca");
  if (authority.has("inline_string") && authority.text("inline_string").find("-----BEGIN ") == std::string::npos) {
    document.refuse(authority.place("inline_string"), "Failed to load trusted CA certificates from <inline>");
  }
}

// Refuses names to verify, and lists of revoked certificates, without an authority. Another source may add one.
void check_authority(const MessageView& context, CheckedDocument& document) {
  const MessageView validation = context.message("validation_context");
  if (validation.has("trusted_ca") || validation.has("ca_certificate_provider_instance") ||
      validation.has("custom_validator_config")) {
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
}

void check_upstream_context(const MessageView& context, CheckedDocument& document) {
  const MessageView common = context.message("common_tls_context");
  check_authority(common, document);
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

// True for a text that is no PEM. Files are not read.
bool is_no_pem(const MessageView& source) {
  return source.has("inline_string") && source.text("inline_string").find("-----BEGIN ") == std::string::npos;
}

void check_certificate(const MessageView& certificate, CheckedDocument& document) {
  const MessageView chain = certificate.message("certificate_chain");
  const MessageView key = certificate.message("private_key");
  if (certificate.has("pkcs12") || certificate.has("private_key_provider")) {
    return;
  }
  if (chain.exists() && !key.exists()) {
    document.refuse(certificate.node().span, "Failed to load incomplete private key from path: ");
  } else if (key.exists() && !chain.exists()) {
    document.refuse(certificate.node().span, "Failed to load incomplete certificate from : certificate chain not set");
  } else if (is_no_pem(chain)) {
    document.refuse(chain.place("inline_string"), "Failed to load certificate chain from <inline>");
  } else if (is_no_pem(key)) {
    document.refuse(key.place("inline_string"), "Failed to load private key from <inline>");
  }
}

void check_ticket_keys(const MessageView& tickets, CheckedDocument& document) {
  constexpr std::size_t length = 80;
  for (const MessageView& key : tickets.items("keys")) {
    const std::string text = key.text("inline_string");
    if (key.has("inline_string") && text.size() != length) {
      document.refuse(key.place("inline_string"), "Incorrect TLS session ticket key length. Length " +
                                                      std::to_string(text.size()) + ", expected length 80.");
    }
  }
}

void check_downstream_context(const MessageView& context, CheckedDocument& document) {
  const MessageView common = context.message("common_tls_context");
  check_authority(common, document);
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
      {"envoy.extensions.transport_sockets.tls.v3.TlsCertificate", check_certificate},
      {"envoy.extensions.transport_sockets.tls.v3.TlsSessionTicketKeys", check_ticket_keys},
      {"envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext", check_upstream_context},
  });
  return messages;
}

}  // namespace spillway::api
