// The frame of every report: head, policy, data, scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace spillway::reports::html {

using Data = nlohmann::ordered_json;

struct Page {
  std::string title;
  std::string headline;  // the verdict
  std::string text;      // what a terminal shows, for readers without JavaScript
  Data data = {};        // what the page is made of
};

[[nodiscard]] std::string page_of(const Page& page, std::string_view version);

// JSON that may stand in a script element: nothing in it ends the element or begins a comment.
[[nodiscard]] std::string embedded_json(const Data& data);

}  // namespace spillway::reports::html
