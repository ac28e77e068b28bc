#include "models/documents/overlay.hpp"

#include <map>
#include <utility>

namespace spillway::documents {
namespace {

std::map<std::string, std::string>& texts_over_files() {
  static std::map<std::string, std::string> texts;
  return texts;
}

}  // namespace

void lay_over(const std::string& path, std::string text) {
  texts_over_files()[path] = std::move(text);
}

const std::string* laid_over(const std::string& path) {
  const auto& texts = texts_over_files();
  const auto found = texts.find(path);
  return found == texts.end() ? nullptr : &found->second;
}

}  // namespace spillway::documents
