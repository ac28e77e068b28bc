#include "sim/scenario/pasted/pasted_files.hpp"

#include <map>
#include <utility>

namespace spillway::scenario::pasted {
namespace {

std::map<std::string, PastedFile>& remembered_files() {
  static std::map<std::string, PastedFile> files;
  return files;
}

}  // namespace

void remember(PastedFile file) {
  std::string name = file.name;
  remembered_files()[std::move(name)] = std::move(file);
}

const PastedFile* remembered(const std::string& name) {
  const auto& files = remembered_files();
  const auto found = files.find(name);
  return found == files.end() ? nullptr : &found->second;
}

void move_to_file(documents::Node& node, std::uint32_t file) {
  node.span.file = file;
  for (documents::Member& member : node.members) {
    member.key_span.file = file;
    move_to_file(member.value, file);
  }
  for (documents::Node& item : node.items) {
    move_to_file(item, file);
  }
}

}  // namespace spillway::scenario::pasted
