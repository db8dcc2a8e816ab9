// SPDX-License-Identifier: Apache-2.0
//
// Values of arguments as users write them.
#pragma once

#include <string>
#include <string_view>

#include "gputlm/config/quantity.h"
#include "gputlm/launchspec/element_type.h"

namespace gputlm {

/// The number that `text` is, rounded to the type; decimal, whole ones also hexadecimal after 0x. What the type does
/// not hold is a problem, not rounded to an infinity.
Parsed<ElementValue> parse_element(ElementType type, std::string_view text);

/// `0 to 255`: the numbers of the type, for messages.
std::string describe_elements(ElementType type);

/// Smallest and largest of whole numbers; 0 and 1 for the others: what random contents lie between by default.
ElementValue lowest_drawn(ElementType type);
ElementValue highest_drawn(ElementType type);

/// The whole number or finite value is one of the type's (rounded, for those that are not whole).
bool holds(ElementType type, ElementValue value);
/// In the type's order.
bool is_less(ElementType type, ElementValue a, ElementValue b);

}  // namespace gputlm
