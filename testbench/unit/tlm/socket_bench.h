// SPDX-License-Identifier: Apache-2.0
//
// What the socket tests share: payloads, a checker that must stay quiet, and logs compared line by line.
#pragma once

#include "gputlm/test_support/sc_test.h"
//
#include "gputlm/test_support/script_units.h"
#include "gputlm/tlm/protocol_checker.h"

namespace gputlm {

/// A script initiator and a script target with a checker between them.
struct SocketBench {
  PayloadPool pool;
  ViolationLog violations;
  ScriptInitiator initiator{"initiator"};
  ScriptTarget target{"target"};
  ProtocolChecker checker{"checker", violations};
  SocketBench() { checker.connect(initiator.socket, target.socket); }

  PayloadRef line(std::uint64_t address) { return pool.line(tlm::TLM_WRITE_COMMAND, address, Operation::store); }
  void expect(const ScriptLog& seen, const ScriptLog& expected) const {
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
  }
  /// Nothing is open or held, and no rule was broken.
  void is_clean() const {
    for (const Violation& v : violations.violations()) BOOST_TEST(false, name_of(v.rule) << ' ' << v.detail);
    BOOST_TEST(checker.idle());
    BOOST_TEST(pool.outstanding() == 0U);
  }
};

}  // namespace gputlm
