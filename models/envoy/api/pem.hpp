// Certificates and keys in PEM, and the words of TLS settings, as a real Envoy takes them.
//
//   api::fault_of_key_pair(chain, key, std::nullopt);   // "Failed to load private key from <inline>"
//   api::fault_of_ciphers({"AES128-SHA256"});           // "Failed to initialize cipher suites AES128-SHA256"
//
// All return Envoy's words for what it refuses, and "" for what it takes. OpenSSL reads the texts; Envoy's BoringSSL
// knows fewer kinds of keys, which are left out here. Source: Envoy 1.40's tls/context_impl.cc, asked of a real one.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spillway::api {

// The chain must begin with the certificate of the key. `password`: of an encrypted key.
[[nodiscard]] std::string fault_of_key_pair(const std::string& chain, const std::string& key,
                                            const std::optional<std::string>& password);

// True for a text with a certificate, and none that cannot be read.
[[nodiscard]] bool has_certificates(const std::string& text);

// True for an object identifier such as "1.3.6.1", or the name of one.
[[nodiscard]] bool is_object_identifier(const std::string& text);

// Settings of TlsParameters.
[[nodiscard]] std::string fault_of_ciphers(const std::vector<std::string>& suites);
[[nodiscard]] std::string fault_of_curves(const std::vector<std::string>& curves);
[[nodiscard]] std::string fault_of_signatures(const std::vector<std::string>& algorithms);

}  // namespace spillway::api
