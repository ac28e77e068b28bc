#include "models/envoy/proxy/options.hpp"

#include <algorithm>

#include "models/envoy/proxy/request_headers.hpp"
#include "models/envoy/routes/route.hpp"

namespace spillway::proxy {

envoy::routes::Request request_of(const RequestDescription& description) {
  envoy::routes::Request request;
  const auto add = [&](const char* name, const std::string& value) {
    const bool given = std::any_of(description.headers.begin(), description.headers.end(), [&](const auto& header) {
      return envoy::routes::same_header_name(header.first, name);
    });
    if (!given && !value.empty()) {
      request.headers.emplace_back(name, value);
    }
  };
  add(":method", "GET");
  add(":authority", description.host);
  add(":path", description.path);
  for (const auto& [name, value] : description.headers) {
    add_header(request, name, {value});
  }
  request.remote_address = description.source;
  request.remote_address_unknown = !description.source;
  return request;
}

}  // namespace spillway::proxy
