#include "models/istio/locality_validation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace spillway::istio {

namespace {

constexpr const char* overlap = "distribute-localities-overlap";

bool is_topology_label(const std::string& label) {
  return label == region_label || label == zone_label || label == subzone_label;
}

std::vector<std::string> parts_of(const std::string& locality) {
  std::vector<std::string> parts(1);
  for (const char letter : locality) {
    if (letter == '/' && parts.size() < 3) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

// The localities covered by the patterns so far: regions, zones of a region, subzones of a zone; "*" means all of them.
using Covered = std::map<std::string, std::map<std::string, std::set<std::string>>>;

// True if istiod finds that the pattern covers something that earlier ones cover; otherwise the pattern is added. A
// wildcard counts as a name of its own, so a pattern after one that it covers does not overlap: r1/z1/* and then r1/*.
bool overlaps(const std::string& locality, Covered& covered) {
  const std::vector<std::string> parts = parts_of(locality);
  const auto region = covered.find(parts[0]);
  if (covered.contains("*") || (region != covered.end() && (parts.size() == 1 || region->second.contains("*")))) {
    return true;
  }
  const std::string zone = parts.size() > 1 ? parts[1] : "*";
  std::set<std::string>& known = covered[parts[0]][zone];
  if (parts.size() < 3) {
    return !known.empty() || !known.insert("*").second;
  }
  return known.contains("*") || !known.insert(parts[2]).second;
}

void check_patterns(const std::vector<std::string>& localities, const std::string& path,
                    std::vector<Finding>& findings) {
  Covered covered;
  for (const std::string& locality : localities) {
    const auto stars = std::count(locality.begin(), locality.end(), '*');
    const auto parts = parts_of(locality);
    const bool empty_part = std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); });
    if (stars > 1 || (stars == 1 && !locality.ends_with('*'))) {
      findings.push_back(
          {true, "distribute-wildcard", path, "locality " + locality + ": wildcard '*' may stand once, at the end"});
      return;
    }
    if (empty_part) {
      findings.push_back({true, "distribute-empty-part", path,
                          "locality " + locality + " must not contain empty region/zone/subzone info"});
      return;
    }
    if (overlaps(locality, covered)) {
      findings.push_back({true, overlap, path, "locality " + locality + " overlaps with previously specified ones"});
      return;
    }
  }
}

// True if the percentages are right; checking ends at the first wrong one.
bool check_percentages(const LocalityLbSetting::Distribute& entry, const std::string& path,
                       std::vector<Finding>& findings) {
  std::uint64_t total = 0;
  for (const auto& [locality, percent] : entry.to) {
    if (percent == 0 || percent > 100) {
      findings.push_back(
          {true, "distribute-weight-out-of-range", path + ".to", "a locality's weight must be in the range [1, 100]"});
      return false;
    }
    total += percent;
  }
  if (total != 100) {
    findings.push_back(
        {true, "distribute-sum-not-100", path + ".to", "total locality weight " + std::to_string(total) + " != 100"});
    return false;
  }
  return true;
}

bool check_distribute(const std::vector<LocalityLbSetting::Distribute>& entries, const std::string& path,
                      std::vector<Finding>& findings) {
  std::vector<std::string> sources;
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    const std::string at = path + ".distribute[" + std::to_string(entry) + "]";
    sources.push_back(entries[entry].from);
    if (!check_percentages(entries[entry], at, findings)) {
      return false;
    }
    std::vector<std::string> targets;
    for (const auto& [locality, percent] : entries[entry].to) {
      targets.push_back(locality);
    }
    check_patterns(targets, at + ".to", findings);
  }
  check_patterns(sources, path + ".distribute", findings);
  return true;
}

void check_failover(const std::vector<LocalityLbSetting::Failover>& failover, const std::string& path,
                    std::vector<Finding>& findings) {
  for (std::size_t entry = 0; entry < failover.size(); ++entry) {
    const auto& [from, to] = failover[entry];
    const std::string at = path + ".failover[" + std::to_string(entry) + "]";
    if (from == to) {
      findings.push_back({true, "failover-to-itself", at, "failover settings must specify different regions"});
    }
    if ((from + to).find('/') != std::string::npos) {
      findings.push_back({true, "failover-to-itself", at, "failover settings only specify regions"});
    }
    if ((from + to).find('*') != std::string::npos) {
      findings.push_back({true, "failover-to-itself", at, "a failover region should not contain the wildcard '*'"});
    }
  }
}

void warn_without_outlier(bool fails_over, bool outlier, const std::string& path, std::vector<Finding>& findings) {
  if (fails_over && !outlier) {
    findings.push_back({false, "failover-without-outlier-detection", path,
                        "an outlier detection policy must be provided for failover"});
  }
}

}  // namespace

void check_locality(const LocalityLbSetting& setting, bool outlier, const std::string& path,
                    std::vector<Finding>& findings) {
  if (!setting.distribute.empty() && !setting.failover.empty()) {
    findings.push_back({true, "distribute-with-failover", path + ".failover",
                        "can not simultaneously specify 'distribute' and 'failover'"});
    return;
  }
  if (!setting.failover.empty() &&
      std::any_of(setting.failoverPriority.begin(), setting.failoverPriority.end(), is_topology_label)) {
    findings.push_back({true, "failover-with-topology-priority", path + ".failoverPriority",
                        "can not simultaneously set 'failover' and a topology label in 'failoverPriority'"});
    return;
  }
  if (!check_distribute(setting.distribute, path, findings)) {
    return;
  }
  warn_without_outlier(!setting.failover.empty() || !setting.failoverPriority.empty(), outlier, path, findings);
  check_failover(setting.failover, path, findings);
}

void check_zone_aware(const ZoneAwareLbSetting& setting, bool outlier, const std::string& path,
                      std::vector<Finding>& findings) {
  if (std::any_of(setting.failoverPriority.begin(), setting.failoverPriority.end(), is_topology_label)) {
    findings.push_back({true, "zone-aware-topology-priority", path + ".failoverPriority",
                        "'failoverPriority' for zone aware balancing must not use topology labels; regions and zones "
                        "are handled automatically"});
  }
  warn_without_outlier(!setting.failover.empty() || !setting.failoverPriority.empty(), outlier, path, findings);
  check_failover(setting.failover, path, findings);
}

}  // namespace spillway::istio
