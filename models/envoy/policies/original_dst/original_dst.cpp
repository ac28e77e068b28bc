#include "models/envoy/policies/original_dst/original_dst.hpp"

#include "models/envoy/routes/address.hpp"

namespace spillway::envoy::policies::original_dst {

namespace {

const std::string* address_text(const config::Value* value) {
  if (value == nullptr) {
    return nullptr;
  }
  if (const auto* const list = value->as_list()) {
    return list->empty() ? nullptr : list->front().as_string();
  }
  return value->as_string();
}

// Finds the first source with a valid address. Counts the texts before it that are not addresses.
class Search {
 public:
  explicit Search(Destination& result) : result_(result) {}

  void offer(const std::string* text) {
    if (address_ || text == nullptr) {
      return;
    }
    address_ = routes::parse_ip_address(*text);
    result_.original_dst_host_invalid += address_ ? 0 : 1;
  }
  void offer(const std::optional<std::string>& text) { offer(text ? &*text : nullptr); }

  [[nodiscard]] std::optional<routes::IpAddress>& address() noexcept { return address_; }

 private:
  Destination& result_;
  std::optional<routes::IpAddress> address_;
};

}  // namespace

Destination destination(const Config& config, const Sources& sources) {
  Destination result;
  Search search(result);
  search.offer(sources.request_filter_state);
  search.offer(sources.connection_filter_state);
  if (config.use_metadata_key) {
    const std::string* const of_request = address_text(sources.request_metadata);
    search.offer(of_request != nullptr ? of_request : address_text(sources.connection_metadata));
  }
  if (config.use_http_header && sources.request != nullptr) {
    const std::string_view by_default = "x-envoy-original-dst-host";
    search.offer(
        routes::first_value(*sources.request, config.http_header_name.empty() ? by_default : config.http_header_name));
  }
  if (!search.address() && sources.restored_local_address) {
    search.address() = routes::parse_ip_address(*sources.restored_local_address);
  }
  if (search.address()) {
    search.address()->port = config.upstream_port_override.value_or(search.address()->port);
    result.address = routes::text(*search.address());
  }
  return result;
}

OnDemandHosts::Picked OnDemandHosts::pick(std::string_view address) {
  const auto known = hosts_.find(address);
  if (known != hosts_.end()) {
    known->second.used = true;
    return {known->second.host, false};
  }
  hosts_.emplace(std::string(address), Entry{next_, true});
  return {next_++, true};
}

std::vector<std::string> OnDemandHosts::sweep() {
  std::vector<std::string> removed;
  for (auto host = hosts_.begin(); host != hosts_.end();) {
    if (host->second.used) {
      host->second.used = false;
      ++host;
    } else {
      removed.push_back(host->first);
      host = hosts_.erase(host);
    }
  }
  return removed;
}

}  // namespace spillway::envoy::policies::original_dst
