// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "gputlm/host/occupancy.h"
#include "gputlm/hostformats/format_error.h"
#include "launch_facts.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

unsigned occupancy(unsigned threads, unsigned registers, unsigned shared = 0) {
  const WorkDistributorSpec sm = sm_8_9();
  return blocks_per_sm(decode_launch(launch_of(1, threads, registers, shared), sm), sm);
}

std::string limit(unsigned threads, unsigned registers, unsigned shared = 0) {
  const WorkDistributorSpec sm = sm_8_9();
  return occupancy_limit(decode_launch(launch_of(1, threads, registers, shared), sm), sm);
}

template <class Change>
std::string refusal(Change change) {
  Qmd qmd = launch_of(1, 32);
  change(qmd);
  try {
    decode_launch(qmd, sm_8_9());
  } catch (const FormatError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_vector_addition_is_limited_by_threads_to_six_blocks) {
  BOOST_TEST(occupancy(256, 16) == 6U);
}

// Worked out with the rules of NVIDIA's occupancy calculator.
BOOST_AUTO_TEST_CASE(each_limit_binds_where_it_should) {
  BOOST_TEST(occupancy(32, 16) == 24U);         // blocks
  BOOST_TEST(occupancy(96, 16) == 16U);         // warps: 48 / 3
  BOOST_TEST(occupancy(33, 16) == 24U);         // 2 warps each: 24 x 2 = 48
  BOOST_TEST(occupancy(1024, 16) == 1U);        // threads: 1536 / 1024
  BOOST_TEST(occupancy(256, 64) == 4U);         // registers: 2048 a warp, 32 warps
  BOOST_TEST(occupancy(256, 65) == 3U);         // 2304 a warp: 7 a sub-partition, 28 warps
  BOOST_TEST(occupancy(32, 255) == 2U);         // 8192 a warp, and a block takes one in each sub-partition
  BOOST_TEST(occupancy(128, 16, 16384) == 5U);  // shared: 17 KiB each of 100
  BOOST_TEST(occupancy(128, 16, 99 << 10) == 1U);
  BOOST_TEST(occupancy(128, 16, 48 << 10) == 2U);  // 49 KiB each
}

BOOST_AUTO_TEST_CASE(what_binds_is_named) {
  BOOST_TEST(limit(32, 16) == "blocks");
  BOOST_TEST(limit(256, 16) == "threads");
  BOOST_TEST(limit(256, 64) == "registers");
  BOOST_TEST(limit(128, 16, 16384) == "shared memory");
  WorkDistributorSpec sm = sm_8_9();
  sm.max_threads = 2048;  // with 48 warps, as on cards whose threads are not the tighter limit
  BOOST_TEST(occupancy_limit(decode_launch(launch_of(1, 256), sm), sm) == std::string("warps"));
}

BOOST_AUTO_TEST_CASE(a_launch_is_read_field_by_field) {
  Qmd q = launch_of(10, 8, 40, 5000);
  q.set(QmdField::cta_raster_height, 11);
  q.set(QmdField::cta_raster_depth, 12);
  q.set(QmdField::cta_thread_dimension1, 4);
  q.set(QmdField::cta_thread_dimension2, 2);
  q.set(QmdField::barrier_count, 3);
  q.set(QmdField::cwd_membar_type, 1);
  q.set(QmdField::release_membar_type, 1);
  q.set(QmdField::release0_payload, 55);
  q.set(QmdField::release0_structure_size, 1);
  q.set(QmdField::constant_buffer_valid, 1, 3);
  q.set(QmdField::constant_buffer_size_shifted4, 24, 3);
  q.set_wide(QmdField::constant_buffer_addr_lower, QmdField::constant_buffer_addr_upper, 0x123456780, 3);
  q.set_wide(QmdField::release0_address_lower, QmdField::release0_address_upper, 0x8765432104);
  q.set_wide(QmdField::program_address_lower, QmdField::program_address_upper, 0x700000100);
  const LaunchShape s = decode_launch(q, sm_8_9());
  BOOST_TEST(s.blocks() == 1320U);
  BOOST_TEST(s.threads() == 64U);
  BOOST_TEST(s.warps() == 2U);
  BOOST_TEST((s.block_at(10 * 11 * 2 + 10 * 3 + 4) == std::array<std::uint32_t, 3>{4, 3, 2}));
  BOOST_TEST(s.registers == 40U);
  BOOST_TEST(s.shared_bytes == 5000U);
  BOOST_TEST(s.barriers == 3U);
  BOOST_TEST((s.membar == CwdMembar::l1_sysmembar));
  BOOST_TEST(s.release_membar);
  BOOST_TEST(s.semaphore == 0x8765432104U);
  BOOST_TEST(s.semaphore_words == 1U);
  BOOST_TEST(s.payload == 55U);
  BOOST_TEST(s.program == 0x700000100U);
  BOOST_TEST(s.constants[3].valid);
  BOOST_TEST(s.constants[3].address == 0x123456780U);
  BOOST_TEST(s.constants[3].bytes == 384U);
  BOOST_TEST(!s.constants[0].valid);
}

BOOST_AUTO_TEST_CASE(a_qmd_that_asks_for_more_than_an_sm_has_is_refused_by_field) {
  using F = QmdField;
  BOOST_TEST(refusal([](Qmd&) {}).empty());
  BOOST_TEST(refusal([](Qmd& q) { q.set(F::cta_raster_width, 0); }) ==
             "QMD: CTA_RASTER_WIDTH (found 0, allowed 1 to 2147483647)");
  BOOST_TEST(refusal([](Qmd& q) { q.set(F::cta_thread_dimension0, 1025); }) ==
             "QMD: CTA_THREAD_DIMENSION0 (found 1025, allowed 1 to 1024)");
  BOOST_TEST(refusal([](Qmd& q) { q.set(F::cta_thread_dimension1, 33); }) ==
             "QMD: threads of a block (found 1056, allowed 1 to 1024)");
  BOOST_TEST(refusal([](Qmd& q) { q.set(F::register_count_v, 256); }) ==
             "QMD: REGISTER_COUNT_V (found 256, allowed 1 to 255)");
  BOOST_TEST(refusal([](Qmd& q) { q.set(F::shared_memory_size, 101377); }) ==
             "QMD: SHARED_MEMORY_SIZE (found 101377, allowed 0 to 101376)");
  BOOST_TEST(refusal([](Qmd& q) { q.set(F::barrier_count, 17); }) == "QMD: BARRIER_COUNT (found 17, allowed 0 to 16)");
  BOOST_TEST(refusal([](Qmd& q) {
               q.set(F::cta_thread_dimension0, 1024);
               q.set(F::register_count_v, 80);
             }) == "QMD: registers of a block (found 81920, allowed 1 to 65536)");
  BOOST_TEST(refusal([](Qmd& q) { q.set(F::release0_address_lower, 8); }) ==
             "QMD: RELEASE0_ADDRESS (found 0x8, allowed a multiple of 16)");
  BOOST_TEST(refusal([](Qmd& q) { q.set(F::cwd_membar_type, 2); }).find("CWD_MEMBAR_TYPE (found 2") !=
             std::string::npos);
}
