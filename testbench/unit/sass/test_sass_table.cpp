// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <set>
#include <sstream>

#include "gputlm/sass/instruction_reference.h"
#include "gputlm/sass/instruction_table.h"
#include "gputlm/sass/sass_code.h"
#include "gputlm/test_support/sc_test.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(the_page_lists_the_table) {
  std::ifstream file(GPUTLM_DOCS "/sass.md");
  std::ostringstream page;
  page << file.rdbuf();
  // After an intended change: gputlm_print_instructions prints this part of the page.
  BOOST_TEST(page.str().find(instruction_reference()) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_instruction_of_the_shipped_listing_is_in_the_table) {
  const SassListing listing = read_listing(GPUTLM_KERNELS "/kernels.sm_89.sass");
  std::size_t instructions = 0;
  for (const SassKernel& kernel : listing.kernels) {
    const SassCode code(listing, kernel);
    for (std::size_t n = 0; n < code.code().size(); ++n, ++instructions)
      BOOST_TEST(code.supported(n), kernel.name << ": " << code.listing()[n].text);
  }
  BOOST_TEST(instructions > 300U);
}

BOOST_AUTO_TEST_CASE(rows_of_one_opcode_stand_in_one_family) {
  std::set<std::string> seen;
  for (const InstructionFamily& family : instruction_families()) {
    std::set<std::string> here;
    for (const InstructionRow& row : *family.rows) here.insert(row.opcode);
    for (const std::string& opcode : here) BOOST_TEST(seen.insert(opcode).second, opcode);
  }
  BOOST_TEST(seen.size() > 100U);
}
