#include "models/envoy/api/cel_expression.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace spillway::api {
namespace {

// A function with the numbers of arguments that it takes, as digits: as a function, and as a method of a target.
struct Function {
  std::string_view name;
  std::string_view arguments;
  std::string_view of_method = {};
};

constexpr std::array functions = std::to_array<Function>({
    {"_==_", "2"},
    {"_!=_", "2"},
    {"_<_", "2"},
    {"_<=_", "2"},
    {"_>_", "2"},
    {"_>=_", "2"},
    {"_+_", "2"},
    {"_-_", "2"},
    {"_*_", "2"},
    {"_/_", "2"},
    {"_%_", "2"},
    {"-_", "1"},
    {"!_", "1"},
    {"_&&_", "23456789"},
    {"_||_", "23456789"},
    {"_?_:_", "3"},
    {"_[_]", "2", "1"},
    {"in", "2"},
    {"_in_", "2"},
    {"@in", "2"},
    {"size", "1", "0"},
    {"contains", "2", "1"},
    {"startsWith", "2", "1"},
    {"endsWith", "2", "1"},
    {"matches", "2", "1"},
    {"int", "1"},
    {"uint", "1"},
    {"double", "1"},
    {"bytes", "1"},
    {"bool", "1"},
    {"duration", "1"},
    {"timestamp", "1"},
    {"type", "1"},
    {"dyn", "1"},
    {"@not_strictly_false", "1"},
    {"__not_strictly_false__", "1"},
});

// True for the methods of dates, which take a time zone or none.
bool is_of_dates(std::string_view name) {
  constexpr std::array parts =
      std::to_array<std::string_view>({"FullYear", "Month", "DayOfYear", "DayOfMonth", "Date", "DayOfWeek", "Hours",
                                       "Minutes", "Seconds", "Milliseconds"});
  return name.starts_with("get") && std::find(parts.begin(), parts.end(), name.substr(3)) != parts.end();
}

std::string fault_of_call(const MessageView& call) {
  const std::string name = call.text("function");
  const auto arguments = call.items("args");
  const bool is_method = call.has("target");
  const auto* const known =
      std::find_if(functions.begin(), functions.end(), [&](const Function& each) { return each.name == name; });
  const bool of_dates = is_of_dates(name);
  const std::string_view counts = of_dates                   ? (is_method ? "01" : "")
                                  : known == functions.end() ? ""
                                  : is_method                ? known->of_method
                                                             : known->arguments;
  const auto digit = static_cast<char>('0' + std::min<std::size_t>(arguments.size(), 9));
  if (counts.find(digit) == std::string_view::npos) {
    return !of_dates && known == functions.end() ? "No overload found in reference resolve step for " + name
                                                 : "unexpected number of args for " + name;
  }
  if (std::string fault = is_method ? fault_of_expression(call.message("target")) : ""; !fault.empty()) {
    return fault;
  }
  for (const MessageView& argument : arguments) {
    if (std::string fault = fault_of_expression(argument); !fault.empty()) {
      return fault;
    }
  }
  return "";
}

std::string fault_of_parts(const MessageView& expression) {
  for (const MessageView& element : expression.message("list_expr").items("elements")) {
    if (std::string fault = fault_of_expression(element); !fault.empty()) {
      return fault;
    }
  }
  for (const MessageView& entry : expression.message("struct_expr").items("entries")) {
    for (const char* const part : {"map_key", "value"}) {
      if (std::string fault = fault_of_expression(entry.message(part)); !fault.empty()) {
        return fault;
      }
    }
  }
  return "";
}

}  // namespace

std::string fault_of_expression(const MessageView& expression) {
  if (expression.has("const_expr")) {
    return expression.message("const_expr").node().members.empty() ? "unspecified constant" : "";
  }
  if (expression.has("ident_expr")) {
    return expression.message("ident_expr").text("name").empty()
               ? "Invalid expression: identifier 'name' must not be empty"
               : "";
  }
  if (expression.has("select_expr")) {
    const MessageView select = expression.message("select_expr");
    if (select.text("field").empty()) {
      return "invalid expression: select 'field' must not be empty";
    }
    const MessageView operand = select.message("operand");
    return !operand.exists() || operand.node().members.empty() ? "invalid expression: select must specify an operand"
                                                               : fault_of_expression(operand);
  }
  if (expression.has("call_expr")) {
    return fault_of_call(expression.message("call_expr"));
  }
  if (const std::string name = expression.message("struct_expr").text("message_name"); !name.empty()) {
    return "Invalid struct creation: missing type info for '" + name + "'";
  }
  if (expression.has("list_expr") || expression.has("struct_expr")) {
    return fault_of_parts(expression);
  }
  return expression.has("comprehension_expr") ? "Comprehension support is disabled" : "Invalid empty expression";
}

}  // namespace spillway::api
