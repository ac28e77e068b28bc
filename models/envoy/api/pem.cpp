#include "models/envoy/api/pem.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <set>
#include <string_view>

namespace spillway::api {
namespace {

template <auto free_it>
struct Freeing {
  template <class Object>
  void operator()(Object* object) const noexcept {
    free_it(object);
  }
};
using Bio = std::unique_ptr<BIO, Freeing<BIO_free>>;
using Certificate = std::unique_ptr<X509, Freeing<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freeing<EVP_PKEY_free>>;

Bio reader_of(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// True if the last error is the end of the text, after which no errors are left.
bool is_at_end() {
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

int no_password(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*none*/) {
  return -1;
}

int give_password(char* buffer, int size, int /*writing*/, void* password) {
  const auto& text = *static_cast<const std::string*>(password);
  const auto length = std::min<std::size_t>(text.size(), static_cast<std::size_t>(size));
  std::memcpy(buffer, text.data(), length);
  return static_cast<int>(length);
}

// Returns what is wrong with a certificate's key; "" if BoringSSL takes it.
std::string fault_of_public_key(X509* certificate) {
  constexpr const char* refused = "Failed to load certificate chain from <inline>";
  EVP_PKEY* const key = X509_get0_pubkey(certificate);
  if (key == nullptr) {
    return refused;
  }
  constexpr int least_bits = 2048;
  switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_RSA:
      return EVP_PKEY_get_bits(key) < least_bits
                 ? std::string(refused) + ", only RSA certificates with 2048-bit or larger keys are supported"
                 : "";
    case EVP_PKEY_EC: {
      std::array<char, 64> curve{};
      EVP_PKEY_get_group_name(key, curve.data(), curve.size(), nullptr);
      constexpr std::array known = std::to_array<std::string_view>({"prime256v1", "secp384r1", "secp521r1"});
      return std::find(known.begin(), known.end(), std::string_view(curve.data())) == known.end() ? refused : "";
    }
    case EVP_PKEY_ED25519:
      return "";
    default:
      return refused;
  }
}

// Calls visit(part) for the parts between separators.
template <class Visit>
void for_each_part(std::string_view text, std::string_view separators, const Visit& visit) {
  while (true) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    visit(text.substr(0, end));
    if (end == text.size()) {
      return;
    }
    text.remove_prefix(end + 1);
  }
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    all += (all.empty() ? "" : ":") + text;
  }
  return all;
}

bool is_known_name(std::string_view known, std::string_view name) {
  bool found = false;
  for_each_part(known, " ", [&](std::string_view one) { found = found || one == name; });
  return found;
}

// Names with blanks between. The ciphers of BoringSSL are here by OpenSSL's name and the standard's.
constexpr std::string_view ciphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256 TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 ECDHE-RSA-AES128-GCM-SHA256 "
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 ECDHE-ECDSA-AES256-GCM-SHA384 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 "
    "ECDHE-RSA-AES256-GCM-SHA384 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 ECDHE-ECDSA-CHACHA20-POLY1305 "
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 ECDHE-RSA-CHACHA20-POLY1305 "
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256 ECDHE-PSK-CHACHA20-POLY1305 "
    "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256 ECDHE-ECDSA-AES128-SHA TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA "
    "ECDHE-RSA-AES128-SHA TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA ECDHE-PSK-AES128-CBC-SHA "
    "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA ECDHE-ECDSA-AES256-SHA TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA "
    "ECDHE-RSA-AES256-SHA TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA ECDHE-PSK-AES256-CBC-SHA "
    "TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA ECDHE-RSA-AES128-SHA256 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256 "
    "ECDHE-ECDSA-AES128-SHA256 TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256 AES128-GCM-SHA256 "
    "TLS_RSA_WITH_AES_128_GCM_SHA256 AES256-GCM-SHA384 TLS_RSA_WITH_AES_256_GCM_SHA384 AES128-SHA "
    "TLS_RSA_WITH_AES_128_CBC_SHA AES256-SHA TLS_RSA_WITH_AES_256_CBC_SHA PSK-AES128-CBC-SHA "
    "TLS_PSK_WITH_AES_128_CBC_SHA PSK-AES256-CBC-SHA TLS_PSK_WITH_AES_256_CBC_SHA DES-CBC3-SHA "
    "TLS_RSA_WITH_3DES_EDE_CBC_SHA";
constexpr std::string_view cipher_groups =
    "ALL HIGH FIPS DEFAULT ECDHE EECDH ECDH kECDHE kEECDH kRSA aRSA RSA ECDSA aECDSA PSK kPSK aPSK 3DES AES "
    "AES128 AES256 AESGCM CHACHA20 SHA SHA1 SSLv3 TLSv1 TLSv1.2";
constexpr std::string_view curves_known =
    "X25519 x25519 P-256 prime256v1 P-384 secp384r1 P-521 secp521r1 X25519MLKEM768 MLKEM1024";
constexpr std::string_view signatures_known =
    "rsa_pkcs1_sha1 rsa_pkcs1_sha256 rsa_pkcs1_sha256_legacy rsa_pkcs1_sha384 rsa_pkcs1_sha512 "
    "rsa_pss_rsae_sha256 rsa_pss_rsae_sha384 rsa_pss_rsae_sha512 ecdsa_sha1 ecdsa_secp256r1_sha256 "
    "ecdsa_secp384r1_sha384 ecdsa_secp521r1_sha512 ed25519 RSA+SHA1 RSA+SHA256 RSA+SHA384 RSA+SHA512 ECDSA+SHA1 "
    "ECDSA+SHA256 ECDSA+SHA384 ECDSA+SHA512 RSA-PSS+SHA256 RSA-PSS+SHA384 RSA-PSS+SHA512 PSS+SHA256 PSS+SHA384 "
    "PSS+SHA512";

// True for a cipher, or names of groups with `+` between.
bool is_cipher_rule(std::string_view rule) {
  if (is_known_name(ciphers, rule)) {
    return true;
  }
  bool is_known = true;
  for_each_part(rule, "+", [&](std::string_view name) { is_known = is_known && is_known_name(cipher_groups, name); });
  return is_known;
}

// True if brackets enclose ciphers of equal preference, with `|` between and no other rules.
bool has_good_brackets(std::string_view list) {
  bool inside = false;
  for (const char letter : list) {
    if (inside ? letter == '[' || letter == ':' : letter == ']' || letter == '|') {
      return false;
    }
    inside = letter == '[' || (inside && letter != ']');
  }
  return !inside;
}

// True if each of the names is known and given once.
bool are_once(std::string_view list, std::string_view known) {
  std::set<std::string_view> seen;
  bool is_well = true;
  for_each_part(list, ":", [&](std::string_view name) {
    is_well = is_well && is_known_name(known, name) && seen.insert(name).second;
  });
  return is_well;
}

}  // namespace

std::string fault_of_key_pair(const std::string& chain, const std::string& key,
                              const std::optional<std::string>& password) {
  constexpr const char* refused_chain = "Failed to load certificate chain from <inline>";
  constexpr const char* refused_key = "Failed to load private key from <inline>";
  ERR_clear_error();
  const Bio certificates = reader_of(chain);
  const Certificate own(PEM_read_bio_X509_AUX(certificates.get(), nullptr, no_password, nullptr));
  if (own == nullptr) {
    ERR_clear_error();
    return refused_chain;
  }
  while (const Certificate next{PEM_read_bio_X509(certificates.get(), nullptr, no_password, nullptr)}) {
  }
  if (!is_at_end()) {
    return refused_chain;
  }
  if (std::string fault = fault_of_public_key(own.get()); !fault.empty()) {
    return fault;
  }
  std::string given = password.value_or("");
  const Key secret(PEM_read_bio_PrivateKey(reader_of(key).get(), nullptr, password ? give_password : no_password,
                                           password ? &given : nullptr));
  const bool fits = secret != nullptr && X509_check_private_key(own.get(), secret.get()) == 1;
  ERR_clear_error();
  return fits ? "" : refused_key;
}

bool has_certificates(const std::string& text) {
  ERR_clear_error();
  const Bio certificates = reader_of(text);
  bool found = false;
  while (const Certificate next{PEM_read_bio_X509_AUX(certificates.get(), nullptr, no_password, nullptr)}) {
    found = true;
  }
  return is_at_end() && found;
}

bool is_object_identifier(const std::string& text) {
  const std::unique_ptr<ASN1_OBJECT, Freeing<ASN1_OBJECT_free>> identifier(OBJ_txt2obj(text.c_str(), 0));
  ERR_clear_error();
  return identifier != nullptr;
}

std::string fault_of_ciphers(const std::vector<std::string>& suites) {
  const std::string list = joined(suites);
  bool is_known = has_good_brackets(list);
  bool adds = list.empty();
  for_each_part(list, ":[]|", [&](std::string_view rule) {
    const bool is_operator = !rule.empty() && std::string_view("!-+").find(rule.front()) != std::string_view::npos;
    const std::string_view name = rule.substr(is_operator ? 1 : 0);
    is_known = is_known && (rule.empty() || rule == "@STRENGTH" || is_cipher_rule(name));
    adds = adds || (!rule.empty() && !is_operator && rule != "@STRENGTH");
  });
  return is_known && adds ? "" : "Failed to initialize cipher suites " + list;
}

std::string fault_of_curves(const std::vector<std::string>& curves) {
  const std::string list = joined(curves);
  return list.empty() || are_once(list, curves_known) ? "" : "Failed to initialize ECDH curves " + list;
}

std::string fault_of_signatures(const std::vector<std::string>& algorithms) {
  const std::string list = joined(algorithms);
  return list.empty() || are_once(list, signatures_known) ? ""
                                                          : "Failed to initialize TLS signature algorithms " + list;
}

}  // namespace spillway::api
