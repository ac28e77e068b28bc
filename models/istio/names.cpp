#include "models/istio/names.hpp"

#include <algorithm>
#include <cstddef>

#include "models/envoy/routes/address.hpp"

namespace spillway::istio {

const std::string& value_of(const Labels& labels, const std::string& name) {
  static const std::string none;
  const auto found = labels.find(name);
  return found == labels.end() ? none : found->second;
}

bool has_all(const Labels& labels, const Labels& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& label) {
    const auto found = labels.find(label.first);
    return found != labels.end() && found->second == label.second;
  });
}

const std::string& locality_of(const Labels& labels) {
  const std::string& label = value_of(labels, locality_label);
  return label.empty() ? value_of(labels, old_locality_label) : label;
}

std::string with_slashes(std::string locality) {
  if (locality.find('/') == std::string::npos) {
    std::replace(locality.begin(), locality.end(), '.', '/');
  }
  return locality;
}

config::Locality split_locality(std::string_view locality) {
  config::Locality parts;
  std::string* const into[] = {&parts.region, &parts.zone, &parts.sub_zone};
  for (std::string* const part : into) {
    const std::size_t slash = locality.find('/');
    *part = std::string(locality.substr(0, slash));
    if (slash == std::string_view::npos) {
      break;
    }
    locality.remove_prefix(slash + 1);
  }
  return parts;
}

Labels augmented(Labels labels, const std::string& cluster, const std::string& locality, const std::string& node,
                 const std::string& network) {
  const config::Locality place = split_locality(locality);
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      labels[name] = value;
    }
  };
  add(region_label, place.region);
  add(zone_label, place.zone);
  add(subzone_label, place.sub_zone);
  add(cluster_label, cluster);
  add(hostname_label, node);
  if (!network.empty()) {
    labels.try_emplace(network_label, network);
  }
  return labels;
}

bool host_matches(std::string_view host, std::string_view pattern) {
  return is_wildcard(pattern) ? host.size() + 1 >= pattern.size() && host.ends_with(pattern.substr(1))
                              : host == pattern;
}

bool is_ip_address(std::string_view address) {
  return !address.empty() && address.find_first_not_of("0123456789abcdefABCDEF.:") == std::string_view::npos;
}

std::string address_text(const std::string& address, std::uint32_t port) {
  const bool is_v6 = address.find(':') != std::string::npos && !address.starts_with('[');
  const std::string text = (is_v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
  const auto parsed = envoy::routes::parse_ip_address(text);
  return parsed ? envoy::routes::text(*parsed) : text;
}

std::string resolve_short_name(std::string_view host, std::string_view name_space) {
  std::string name(host);
  if (host == "*" || host.find('.') != std::string_view::npos) {
    return name;
  }
  return name.append(".").append(name_space).append(".svc.cluster.local");
}

std::string cluster_name(std::uint32_t port, std::string_view subset, std::string_view host) {
  return std::string("outbound|").append(std::to_string(port)).append("|").append(subset).append("|").append(host);
}

}  // namespace spillway::istio
