// The frame of every report page: head, policy, data, scripts.
#pragma once

#include <string>
#include <string_view>

#include "models/documents/json_writer.hpp"

namespace spillway::reports::html {

using Data = documents::JsonText;

struct Page {
  std::string title;
  std::string headline;  // the verdict
  std::string text;      // the terminal output, for readers without JavaScript
  Data data = {};        // the content of the page
};

[[nodiscard]] std::string page_of(const Page& page, std::string_view version);

// Returns JSON that is safe inside a script element: no text in it ends the element or begins a comment.
[[nodiscard]] std::string embedded_json(const Data& data);

}  // namespace spillway::reports::html
