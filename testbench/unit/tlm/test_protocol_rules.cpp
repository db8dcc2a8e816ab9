// SPDX-License-Identifier: Apache-2.0
//
// The catalogue of rules is complete: every rule has a name, a statement and a test in which it fires.
#include "gputlm/test_support/sc_test.h"
//
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "gputlm/tlm/protocol_rules.h"

using namespace gputlm;

namespace {

std::string firing_tests() {
  std::ostringstream text;
  for (const char* what : {"phases", "attributes", "transport"})
    text << std::ifstream(std::string(GPUTLM_TEST_DIRECTORY "/test_protocol_") + what + ".cpp").rdbuf();
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_has_a_name_and_a_statement_of_its_own) {
  std::set<std::string> names, statements;
  for (std::size_t i = 0; i < kProtocolRules; ++i) {
    names.insert(name_of(static_cast<ProtocolRule>(i)));
    statements.insert(statement_of(static_cast<ProtocolRule>(i)));
  }
  BOOST_TEST(names.size() == kProtocolRules);
  BOOST_TEST(statements.size() == kProtocolRules);
  BOOST_TEST(name_of(ProtocolRule::payload_returned) == std::string("payload_returned"));
}

BOOST_AUTO_TEST_CASE(every_rule_has_a_test_in_which_it_fires) {
  const std::string tests = firing_tests();
  for (std::size_t i = 0; i < kProtocolRules; ++i) {
    const std::string rule = std::string("Rule::") + name_of(static_cast<ProtocolRule>(i)) + ")";
    const bool fires =
        tests.find("fires(" + rule) != std::string::npos || tests.find("count(" + rule) != std::string::npos;
    BOOST_TEST(fires, rule << " never fires");
  }
}
