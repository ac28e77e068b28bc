// TLS settings and PEM texts. Each verdict is that of `envoy --mode validate` of Envoy 1.40.
#include "models/envoy/api/pem.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace spillway::api {
namespace {

// Made for these tests alone: nothing trusts them.
const std::string own_certificate =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBazCCAROgAwIBAgIUPMn1dbMLqiK7j4kPwcmFufc3z/cwCgYIKoZIzj0EAwIw\n"
    "DDEKMAgGA1UEAwwBYTAeFw0yNjExMjgxNjI1NThaFw0yOTA4MjMxNjI1NThaMAwx\n"
    "CjAIBgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATVtMqc/6Zr+s2P\n"
    "HOqkgvk7cojslB8pDvklkPeOq5Us7eVxmzYaDiUa7ZEC0qPHGW7DEaSEOZqaY3ib\n"
    "ATEBBJILo1MwUTAdBgNVHQ4EFgQUyStYiu71bnzkCaAkDewjEt8j30QwHwYDVR0j\n"
    "BBgwFoAUyStYiu71bnzkCaAkDewjEt8j30QwDwYDVR0TAQH/BAUwAwEB/zAKBggq\n"
    "hkjOPQQDAgNGADBDAiBSnZ0tnj1zr/aJG2j1d9cwHPhB1cZpZm8NcbBIluQnEwIf\n"
    "I08895IMT+t57sm4LdjSBU0VYXOm6Jt7whwi2hofxw==\n"
    "-----END CERTIFICATE-----\n";
const std::string own_key =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRbSP1RvPb03+N6j7\n"
    "swIJWU3BWvOiOjijv/rXJXGcXXShRANCAATVtMqc/6Zr+s2PHOqkgvk7cojslB8p\n"
    "DvklkPeOq5Us7eVxmzYaDiUa7ZEC0qPHGW7DEaSEOZqaY3ibATEBBJIL\n"
    "-----END PRIVATE KEY-----\n";
const std::string other_key =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDBOzppP0ZHqj22WACM3\n"
    "cvM69uoLxX5ck0dzOPSbSpmfvD8dHBGpV2hkN4jO0A28qiehZANiAAQu+sWL9Sy0\n"
    "+umh5xn7G2bB6dsVi7B/uJbczIYo8BiC6ECJozmVQr4ECEdLvfEXOAPzGrMWHi67\n"
    "7BGtZULwp7j7Nuxv8oOq0On+P+z25T8dmUrtu0t2fsjCT1oRZpwiCug=\n"
    "-----END PRIVATE KEY-----\n";
// A certificate whose key is on a curve that BoringSSL does not know.
const std::string small_certificate =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBWjCCAQigAwIBAgIUfii8qe0UH0tcaZVaGTZrX6Sg2kIwCgYIKoZIzj0EAwIw\n"
    "DDEKMAgGA1UEAwwBYTAeFw0yNjExMjgxNjI1NThaFw0yOTA4MjMxNjI1NThaMAwx\n"
    "CjAIBgNVBAMMAWEwTjAQBgcqhkjOPQIBBgUrgQQAIQM6AARz276LoxWCzi9x0rnU\n"
    "poE3G+ZE6EtgZsK7PX5M5CJeB2ok1uftJ0U6cT8XYvuIN2HQGMCeszJPvaNTMFEw\n"
    "HQYDVR0OBBYEFC5QctWRr42trhWbEed+KaD63onrMB8GA1UdIwQYMBaAFC5QctWR\n"
    "r42trhWbEed+KaD63onrMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDQAAw\n"
    "PQIcI4tnSw1jlL39cA6670Q7I9oJizsH/9MVg2xMegIdAKK4tl6uYBcJgYfJ5gNn\n"
    "5ToptQ//msJ3VqvOLb8=\n"
    "-----END CERTIFICATE-----\n";
const std::string small_key =
    "-----BEGIN PRIVATE KEY-----\n"
    "MHgCAQAwEAYHKoZIzj0CAQYFK4EEACEEYTBfAgEBBBzmBn4woAJx9NiyKqn5VyvY\n"
    "9YgRKJcY3nhcDRumoTwDOgAEc9u+i6MVgs4vcdK51KaBNxvmROhLYGbCuz1+TOQi\n"
    "XgdqJNbn7SdFOnE/F2L7iDdh0BjAnrMyT70=\n"
    "-----END PRIVATE KEY-----\n";
const std::string unreadable = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

std::string fault_of(const std::string& chain, const std::string& key) {
  return fault_of_key_pair(chain, key, std::nullopt);
}

}  // namespace

TEST_CASE("a chain and its key must be readable and belong together", "[envoy][tls]") {
  CHECK(fault_of(own_certificate, own_key).empty());
  CHECK(fault_of("words before\n" + own_certificate + "and after", own_certificate + own_key).empty());
  CHECK(fault_of(own_certificate + small_certificate, own_key).empty());
  const std::string refused_chain = "Failed to load certificate chain from <inline>";
  CHECK(fault_of("x", own_key) == refused_chain);
  CHECK(fault_of(own_key, own_key) == refused_chain);
  CHECK(fault_of(unreadable, own_key) == refused_chain);
  CHECK(fault_of(own_certificate + unreadable, own_key) == refused_chain);
  CHECK(fault_of(own_certificate.substr(0, 300), own_key) == refused_chain);
  CHECK(fault_of(small_certificate, small_key) == refused_chain);
  const std::string refused_key = "Failed to load private key from <inline>";
  CHECK(fault_of(own_certificate, other_key) == refused_key);
  CHECK(fault_of(own_certificate, own_certificate) == refused_key);
  CHECK(fault_of(own_certificate, own_key.substr(0, 150)) == refused_key);
}

TEST_CASE("an authority is a text with certificates that can be read", "[envoy][tls]") {
  CHECK(has_certificates(own_certificate));
  CHECK(has_certificates(own_certificate + small_certificate + own_key));
  CHECK_FALSE(has_certificates(own_key));
  CHECK_FALSE(has_certificates("x"));
  CHECK_FALSE(has_certificates(own_certificate + unreadable));
}

TEST_CASE("ciphers are those of BoringSSL, by name or in groups", "[envoy][tls]") {
  for (const char* const known :
       {"ECDHE-RSA-AES128-GCM-SHA256", "TLS_RSA_WITH_3DES_EDE_CBC_SHA", "ALL", "ECDHE+AES128+SHA", "ALL:!aPSK", "::ALL",
        "[ECDHE-ECDSA-AES128-GCM-SHA256|ECDHE-ECDSA-CHACHA20-POLY1305]:AES128-SHA", "ALL:@STRENGTH", ""}) {
    INFO(known);
    CHECK(fault_of_ciphers({known}).empty());
  }
  for (const char* const unknown :
       {"AES128-SHA256", "TLS_AES_128_GCM_SHA256", "ecdhe-rsa-aes128-gcm-sha256", "-AES", "@STRENGTH", "ALL:!x", "AES+",
        "kRSA+AES128-SHA", "[A|B]", "[ECDHE-ECDSA-AES128-GCM-SHA256", "[AES:SHA]", "AES128-SHA,AES256-SHA",
        "TLSv1.3"}) {
    INFO(unknown);
    CHECK(fault_of_ciphers({unknown}) == "Failed to initialize cipher suites " + std::string(unknown));
  }
  CHECK(fault_of_ciphers({"AES128-SHA", "x"}) == "Failed to initialize cipher suites AES128-SHA:x");
}

TEST_CASE("curves and signatures are known, and given once", "[envoy][tls]") {
  CHECK(fault_of_curves({"X25519", "P-256:secp384r1", "X25519MLKEM768"}).empty());
  CHECK(fault_of_curves({"P-224"}) == "Failed to initialize ECDH curves P-224");
  CHECK(fault_of_curves({"X25519", "X25519"}) == "Failed to initialize ECDH curves X25519:X25519");
  CHECK(fault_of_signatures({"ed25519:rsa_pkcs1_sha256", "PSS+SHA256"}).empty());
  CHECK(fault_of_signatures({"Ed25519"}) == "Failed to initialize TLS signature algorithms Ed25519");
  CHECK_FALSE(fault_of_signatures({"ed25519", "ed25519"}).empty());
}

TEST_CASE("an object identifier is dotted, or has a name", "[envoy][tls]") {
  CHECK(is_object_identifier("1.2.3"));
  CHECK_FALSE(is_object_identifier("x"));
  CHECK_FALSE(is_object_identifier(""));
}

}  // namespace spillway::api
