#include "reports/text/figures.hpp"

#include <fmt/format.h>

#include "reports/text/percent.hpp"

namespace spillway::reports {
namespace {

std::string with_sign(std::string bare, scenario::Quantity quantity) {
  return quantity == scenario::Quantity::panic ? bare : bare + " %";
}

std::string yes_or_no(double number) {
  return number != 0.0 ? "yes" : "no";
}

}  // namespace

std::string bare_figure(const scenario::Figure& figure, scenario::Quantity quantity) {
  if (figure.text == "-") {
    return "-";
  }
  if (quantity == scenario::Quantity::panic) {
    return yes_or_no(figure.number);
  }
  return fmt::format("{:.{}f}", figure.number, figure.decimals);
}

std::string bare_measured(double measured, scenario::Quantity quantity) {
  return quantity == scenario::Quantity::panic ? yes_or_no(measured) : natural_percentage(measured);
}

std::string figure_text(const scenario::Figure& figure, scenario::Quantity quantity) {
  return figure.text == "-" ? "-" : with_sign(bare_figure(figure, quantity), quantity);
}

std::string measured_text(double measured, scenario::Quantity quantity) {
  return with_sign(bare_measured(measured, quantity), quantity);
}

}  // namespace spillway::reports
