// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "gputlm/litmus/litmus_test.h"

using namespace gputlm;

namespace {

using Kind = LitmusInstruction::Kind;

const std::string kHeader = "section\tname\tplacement\tprogram\tcondition\tverdict\tseen on silicon\n";

LitmusTest one(const std::string& placement, const std::string& program, const std::string& condition) {
  return parse_litmus_tests(kHeader + "A\tt\t" + placement + "\t" + program + "\t" + condition + "\tallowed\t-\n", "f")
      .at(0);
}

// The only diagnostic of a table whose second line is `row`.
std::string mistake(const std::string& row) {
  try {
    parse_litmus_tests(kHeader + row + "\n", "f.tsv");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

std::string single_mistake(const std::string& text) {
  try {
    parse_litmus_tests(text, "f");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

std::string program_mistake(const std::string& program) {
  return mistake("A\tt\t1 thread\t" + program + "\tx=1\tallowed\t-");
}

}  // namespace

BOOST_AUTO_TEST_CASE(message_passing_is_read_instruction_by_instruction) {
  const LitmusTest t =
      one("same GPU, diff CTA: P0 / P1",
          "P0: st.weak x 1; fence.acq_rel.gpu; st.release.sys y 2 || P1: ld.acquire.gpu y r1; ld.weak x r0",
          "P1:r1=2 & P1:r0=0");
  BOOST_TEST(t.threads.size() == 2U);
  BOOST_TEST((t.ctas == std::vector<std::vector<unsigned>>{{0}, {1}}));
  const auto& p0 = t.threads[0].instructions;
  BOOST_TEST(p0.size() == 3U);
  BOOST_TEST((p0[0].kind == Kind::store && p0[0].semantics == Semantics::weak && p0[0].a.value == 1U));
  BOOST_TEST((p0[1].kind == Kind::fence && p0[1].semantics == Semantics::acq_rel && p0[1].scope == Scope::gpu));
  BOOST_TEST((p0[2].semantics == Semantics::release && p0[2].scope == Scope::sys && p0[2].location == 1U));
  const auto& p1 = t.threads[1].instructions;
  BOOST_TEST((p1[0].kind == Kind::load && p1[0].semantics == Semantics::acquire && p1[0].destination == 0U));
  BOOST_TEST((t.threads[1].registers == std::vector<std::string>{"r1", "r0"}));
}

BOOST_AUTO_TEST_CASE(atomics_branches_labels_and_initial_values_are_read) {
  const LitmusTest t = one("1 thread",
                           "P0: atom.cas.relaxed.gpu m 0 1 -> r1; bne r1 0 LC; atom.sub.acq_rel.sys x 3 -> r2; add r2 "
                           "r2 1; red.max.relaxed.cta x "
                           "7; LC: [m=1 initially] [init x=2] [a note for people]",
                           "x=2");
  const auto& p = t.threads[0].instructions;
  BOOST_TEST(p.size() == 5U);
  BOOST_TEST((p[0].function == AtomicFunction::compare_and_swap && p[0].a.value == 0U && p[0].b.value == 1U));
  BOOST_TEST((p[1].kind == Kind::branch_unless_equal && p[1].target == 5U && p[1].a.is_register));
  BOOST_TEST((p[2].function == AtomicFunction::add && p[2].negated));
  BOOST_TEST((p[3].kind == Kind::add && p[3].destination == p[2].destination && p[3].b.value == 1U));
  BOOST_TEST((p[4].kind == Kind::reduction && p[4].function == AtomicFunction::max_unsigned));
  BOOST_TEST(t.locations[0].initial == 1U);
  BOOST_TEST(t.locations[1].initial == 2U);
}

BOOST_AUTO_TEST_CASE(every_form_of_placement_is_read) {
  const std::string program = "P0: st.weak x 1 || P1: st.weak y 1 || P2: ld.weak x r0";
  using Ctas = std::vector<std::vector<unsigned>>;
  BOOST_TEST((one("same CTA: P0,P1,P2", program, "x=1").ctas == Ctas{{0, 1, 2}}));
  BOOST_TEST((one("same GPU, mixed CTA: P0 / P1,P2", program, "x=1").ctas == Ctas{{0}, {1, 2}}));
  BOOST_TEST((one("threads per CTA: 1_02", program, "x=1").ctas == Ctas{{1}, {0, 2}}));
  BOOST_TEST((one("diff GPU: P0 / P1,P2", program, "x=1").skip_reason == "needs a second GPU; the platform has one"));
  const LitmusTest alias = one("same CTA: P0,P1,P2; y virtual alias of x", program, "x=1");
  BOOST_TEST(alias.locations[1].alias_of == 0);
  BOOST_TEST(alias.storage_of(1) == 0U);
  const LitmusTest both =
      one("1 thread, a1 and a2 virtual aliases", "P0: st.weak a1 1; fence.proxy.alias; ld.weak a2 r1", "P0:r1=0");
  BOOST_TEST(both.storage_of(1) == 0U);
}

BOOST_AUTO_TEST_CASE(a_test_of_another_proxy_is_skipped_with_the_reason_and_the_others_are_read) {
  const std::string header = "section\tname\tplacement\tprogram\tcondition\tverdict\tseen\n";
  std::string table = header;
  for (const char* proxy : {"alias", "async", "async.global", "texture", "tensormap::generic.acquire.gpu x 128"})
    table +=
        "E\tt\t1 thread\tP0: st.weak x 1; fence.proxy." + std::string(proxy) + "; ld.weak x r0\tP0:r0=1\tallowed\t-\n";
  const std::vector<LitmusTest> tests = parse_litmus_tests(table, "t.tsv");
  BOOST_REQUIRE(tests.size() == 5U);
  BOOST_TEST(tests[0].skip_reason == "");
  BOOST_TEST(tests[1].skip_reason == "needs the async proxy; the platform has the generic one");
  BOOST_TEST(tests[2].skip_reason == tests[1].skip_reason);
  BOOST_TEST(tests[3].skip_reason == "needs the texture proxy; the platform has the generic one");
  BOOST_TEST(tests[4].skip_reason.find("tensormap::generic") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(conditions_follow_precedence_negation_and_both_notations) {
  std::string problem;
  const Condition c = Condition::parse("P0:r0=1 /\\ x!=2 \\/ !((y = 3))", problem);
  BOOST_TEST(problem == "");
  BOOST_TEST(c.variables().size() == 3U);
  BOOST_TEST(c.holds({1, 5, 3}));
  BOOST_TEST(!c.holds({1, 2, 3}));
  BOOST_TEST(c.holds({0, 2, 4}));
  BOOST_TEST(!c.holds({0, 5, 3}));
  for (const char* bad :
       {"", "x", "x=", "x=1 &", "(x=1", "x=1)", "x==1", "P9x:r0=1", "x=1 y=2", "x=99999999999", ":r0=1", "P:r0=1"}) {
    Condition::parse(bad, problem);
    BOOST_TEST(problem != "", "'" << bad << "' must be refused");
  }
  Condition::parse(std::string(10000, '(') + "x=1", problem);
  BOOST_TEST(problem.find("nested") != std::string::npos);
  std::string chain = "x=1";
  for (unsigned i = 0; i < 300000; ++i) chain += " & x=1";
  Condition::parse(chain, problem);
  BOOST_TEST(problem.find("at most 1000") == 0U);
}

BOOST_AUTO_TEST_CASE(each_mistake_names_file_line_and_what_is_allowed) {
  BOOST_TEST(mistake("A\tt\tsame CTA: P0").find("f.tsv:2:1: wrong number of columns (found 3, allowed 7") == 0U);
  BOOST_TEST(program_mistake("P0: st.weak x").find("'st.weak x': reads st.SEM.SCOPE location value") !=
             std::string::npos);
  BOOST_TEST(program_mistake("P0: st.acquire.gpu x 1").find("weak, relaxed, release") != std::string::npos);
  BOOST_TEST(program_mistake("P0: ld.weak.gpu x r1").find("weak takes no scope") != std::string::npos);
  BOOST_TEST(program_mistake("P0: jump x").find("unknown instruction") != std::string::npos);
  BOOST_TEST(program_mistake("P0: st.weak x 1; beq 1 1 L").find("label that the thread does not have") !=
             std::string::npos);
  BOOST_TEST(program_mistake("P1: st.weak x 1").find("must begin with P0:") != std::string::npos);
  BOOST_TEST(program_mistake("P0: st.weak x 99999999999").find("32 bits") != std::string::npos);
  BOOST_TEST(program_mistake("P0: st.weak x 1 [init z=1]").find("z=1") != std::string::npos);
  BOOST_TEST(mistake("A\tt\tsame CTA: P0,P0\tP0: st.weak x 1\tx=1\tallowed\t-").find("thread 0 once, not 2") !=
             std::string::npos);
  BOOST_TEST(mistake("A\tt\t1 thread\tP0: st.weak x 1\tP0:r1=1\tallowed\t-").find("no P0:r1") != std::string::npos);
  BOOST_TEST(mistake("A\tt\t1 thread\tP0: st.weak x 1\tx=1\tperhaps\t-").find("neither forbidden nor allowed") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_one_test_file_reads_back_as_written) {
  const LitmusTest t = one("threads per CTA: 0_1", "P0: st.weak x 1 || P1: ld.weak x r0 [init x=4]", "P1:r0=1");
  const LitmusTest again = parse_litmus_tests("# a comment\n" + litmus_text(t), "g").at(0);
  BOOST_TEST(again.name == t.name);
  BOOST_TEST((again.ctas == t.ctas));
  BOOST_TEST(again.locations[0].initial == 4U);
  BOOST_TEST(again.threads[1].instructions[0].text == "ld.weak x r0");
  BOOST_CHECK_THROW(parse_litmus_tests("nonsense", "g"), ConfigError);
  BOOST_CHECK_THROW(parse_litmus_tests("", "g"), ConfigError);
}

BOOST_AUTO_TEST_CASE(every_mistake_of_a_one_test_file_is_reported_at_once_where_it_stands) {
  BOOST_TEST(single_mistake("name: t\nplacement: same CTA: P0,P1\nP0: st.weak x 1\n  P1: ld.weak x\n"
                            "condition: P0:r9=1\nverdict:  perhaps\n") ==
             "f:4:3: t: 'ld.weak x': reads ld.SEM.SCOPE location register\n"
             "f:5:12: t: condition: the program has no P0:r9\n"
             "f:6:11: t: verdict 'perhaps' is neither forbidden nor allowed");
  BOOST_TEST(mistake("A\tt\t1 thread\tP0: st.weak x 1\ty=1\tallowed\t-") ==
             "f.tsv:2:30: t: condition: the program has no y");
}

BOOST_AUTO_TEST_CASE(what_is_no_text_too_long_or_given_twice_is_refused) {
  const std::string rest = "\nplacement: 1 thread\nP0: st.weak x 1\ncondition: x=1\nverdict: allowed\n";
  BOOST_TEST(single_mistake("name: t" + rest) == "");
  BOOST_TEST(single_mistake("name: caf\xe9" + rest) == "f:1:10: not a text file: it is not UTF-8");
  BOOST_TEST(single_mistake("seen: -\nname: \x1b[2J" + rest) == "f:2:7: not a text file: it holds a control character");
  BOOST_TEST(single_mistake("name: t" + rest + "verdict: forbidden\n") == "f:6:1: given twice (found verdict)");
  BOOST_TEST(single_mistake("name: t" + rest + "P0: st.weak x 2\n") == "f:6:1: given twice (found P0)");
  BOOST_TEST(single_mistake("name: t" + rest + "program: P0: st.weak x 2\n") ==
             "f:6:1: the program is given in two forms (found program)");
  BOOST_TEST(single_mistake("name: " + std::string(300000, 'a') + rest).find("name is longer than 200 bytes") !=
             std::string::npos);
}
