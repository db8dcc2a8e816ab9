// SPDX-License-Identifier: Apache-2.0
//
// gputlm launch as a user meets it, a launch as an experiment, and the dump of what the driver wrote.
#include "gputlm/test_support/sc_test.h"

#include <cstring>
#include <vector>

#include "command.h"

using namespace gputlm;
using test::command;
using test::Result;
using test::TempFolder;

namespace {

const std::string kShape = "launch kernels.sm_89 --config tiny --grid 4 --block 256 --kernel vadd";
const std::string kArguments = " --arg a=float[1024]:1.0 --arg b=float[1024]:1.0 --arg c=float[1024] --arg n=1024";
const std::string kVadd = kShape + kArguments;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

nlohmann::json json_of(const std::string& arguments) {
  const Result r = command(arguments + " --format json");
  BOOST_TEST(r.code == 0, r.out);
  return nlohmann::json::parse(r.out);
}

std::string bytes_of(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_result_is_printed_as_a_program_would_and_the_journey_behind_it) {
  const Result r = command(kVadd + " --read c");
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(r.out.rfind("c[0]=2.000000 c[1023]=2.000000\n", 0) == 0U, r.out);
  std::size_t at = 0;
  for (const char* step : {"doorbell", "fetch", "first block", "last block", "barrier", "semaphore", "copy begins",
                           "copy", "done", "occupancy", "issue utilisation", "DRAM read", "L2 loads", "L2 dirty"}) {
    at = r.out.find("\n  " + std::string(step) + ' ', at);
    BOOST_TEST_REQUIRE(at != std::string::npos, step << " in its turn in\n" << r.out);
  }
}

BOOST_AUTO_TEST_CASE(json_has_the_figures_and_they_fit_together) {
  const auto j = json_of(kVadd + " --read c --check");
  for (const char* key : {"kernel_ns", "launch_to_done_ns", "blocks", "warps_active_pct", "issue_active_pct",
                          "dram_bytes_read", "dram_bytes_written", "dram_read_utilisation", "barrier_ns",
                          "copy_dram_bytes_read", "l2_dirty_bytes_at_kernel_end", "read"})
    BOOST_TEST(j.contains(key), key);
  const auto& t = j["timeline_ns"];
  double before = 0;
  for (const char* step : {"doorbell", "fetched", "first_block", "last_block", "barrier_done", "semaphore",
                           "copy_start", "copy_done", "done"}) {
    BOOST_TEST(t[step].get<double>() >= before, step);
    before = t[step];
  }
  const auto span = [&](const char* from, const char* to) { return t[to].get<double>() - t[from].get<double>(); };
  BOOST_TEST(j["kernel_ns"].get<double>() == span("first_block", "last_block"), boost::test_tools::tolerance(1e-6));
  BOOST_TEST(j["launch_to_done_ns"].get<double>() == span("doorbell", "done"), boost::test_tools::tolerance(1e-6));
  BOOST_TEST(j["barrier_ns"].get<double>() == span("last_block", "barrier_done"), boost::test_tools::tolerance(1e-6));
  BOOST_TEST(j["barrier_ns"] >= 740);
  BOOST_TEST(j["blocks"] == 4);
  BOOST_TEST(j["warps"] == 32);
  BOOST_TEST(j["blocks_per_sm"] == 6);
  BOOST_TEST(j["limited_by"] == "threads");
  BOOST_TEST(j["instructions"] == 32 * 16);  // up to EXIT
  // Two inputs that the cache control put out of L2; the result stays in it and is copied from there.
  BOOST_TEST(j["dram_bytes_read"] == 2 * 4096);
  BOOST_TEST(j["dram_bytes_written"] == 0);
  BOOST_TEST(j["l2_dirty_bytes_at_kernel_end"] == 4096);
  BOOST_TEST(j["copy_bytes"] == 4096);
  BOOST_TEST(j["copy_dram_bytes_read"] == 0);
  BOOST_TEST(j["read"]["c"] == nlohmann::json::parse(R"({"type": "float", "count": 1024, "first": 2.0, "last": 2.0})"));
  BOOST_TEST(j["problems"].empty());
}

BOOST_AUTO_TEST_CASE(without_cache_control_the_kernel_finds_its_inputs_in_l2) {
  const auto j = json_of(kVadd + " --cache-control none");
  BOOST_TEST(j["dram_bytes_read"] == 0);
  BOOST_TEST(j["l2_load_hit_rate"] == 1);
  BOOST_TEST(j["l2_dirty_bytes_at_kernel_end"] >= 3 * 4096);  // uploads, code and constants, too
  BOOST_TEST(j["read"].empty());
  BOOST_TEST(j["timeline_ns"]["copy_start"].is_null());
}

BOOST_AUTO_TEST_CASE(arguments_of_every_kind_reach_the_kernel) {
  TempFolder d;
  std::vector<float> x(1024), sums(1024);
  for (std::size_t n = 0; n < 1024; ++n) {
    x[n] = 0.25F * static_cast<float>(n) - 7;
    sums[n] = x[n] + (3 + 2 * static_cast<float>(n));
  }
  const std::string file = d.file("x.bin", bytes_of(x)), expected = d.file("sums.bin", bytes_of(sums));
  const std::string arguments =
      " --arg a=float[1024]:@" + file + " --arg 'b=float[1024]:ramp(3,2)' --arg c=float[1024]:-1 --arg n=int:1024";
  const auto j = json_of(kShape + arguments + " --expect c=" + expected);
  BOOST_TEST(j["read"]["c"]["mismatches"] == 0);
  BOOST_TEST(j["read"]["c"]["first"] == sums[0]);
}

BOOST_AUTO_TEST_CASE(what_is_expected_decides_on_the_exit_code) {
  TempFolder d;
  std::vector<float> twos(1024, 2);
  const Result right = command(kVadd + " --expect c=" + d.file("right.bin", bytes_of(twos)));
  BOOST_TEST(right.code == 0, right.out);
  BOOST_TEST(has(right.out, "mismatches in c"), right.out);
  twos[5] = twos[1000] = 2.5F;
  const std::string wrong = kVadd + " --expect c=" + d.file("wrong.bin", bytes_of(twos));
  BOOST_TEST(command(wrong).code == 1);
  const Result json = command(wrong + " --format json");
  BOOST_TEST(json.code == 1);
  BOOST_TEST(nlohmann::json::parse(json.out)["read"]["c"]["mismatches"] == 2);
}

BOOST_AUTO_TEST_CASE(a_kernel_that_fails_exits_1_and_says_where) {
  TempFolder d;
  const Result r = command(kShape +
                           " --arg a=uint64:16 --arg b=float[1024] --arg c=float[1024] --arg n=1024 "
                           "--read c --dump-pushbuffer " +
                           d.path("a.dump"));
  BOOST_TEST(r.code == 1, r.out);
  BOOST_TEST(has(r.out, "gputlm: channel 0, GPFIFO entry "), r.out);
  BOOST_TEST(has(r.out, "SM 0 warp 0 instruction 11 of block 0: address 0x10 is not mapped"), r.out);
  BOOST_TEST(!has(r.out, "c[0]="), r.out);
  BOOST_TEST(command("decode " + d.path("a.dump")).code == 0);  // that is what a dump is for
}

BOOST_AUTO_TEST_CASE(bad_input_exits_2_with_one_clear_message_and_writes_nothing) {
  TempFolder d;
  const std::string dump = d.path("a.dump");
  const auto refused = [&](const std::string& arguments, const std::string& says) {
    const Result r = command(arguments + " --dump-pushbuffer " + dump);
    BOOST_TEST(r.code == 2, arguments + ": " + r.out);
    BOOST_TEST(has(r.out, says), arguments + ": " + r.out);
    BOOST_TEST(!has(r.out, "timeline"), r.out);
    BOOST_TEST(!test::fs::exists(dump), arguments);
  };
  const std::string vadd = "launch kernels.sm_89 --config tiny --kernel vadd";
  refused("launch kernels.sm_89 --kernel vad" + kArguments, "did you mean vadd?");
  refused("launch kernels.sm_89 --kernel nothing" + kArguments,
          "allowed saxpy_shared, ticket, block_fence, system_fence, producer_consumer, grid_stride_sum, copy4, "
          "fill_bytes, fill, vadd");
  refused("launch kernels.sm_90 --kernel vadd" + kArguments, "kernels.sm_90");
  refused("launch kernels.sm_89" + kArguments, "--kernel is required");
  refused("launch --kernel vadd" + kArguments, "listing is required");
  refused(vadd,
          "--arg: kernel vadd reads more parameters than were given (found 0 bytes in 0 arguments, allowed at "
          "least 28 bytes)");
  refused(vadd + " --block 1025" + kArguments, "--block: has too many threads (found 1025,1,1, allowed 1024 in all)");
  refused(vadd + " --block 32,32,2" + kArguments, "--block: has too many threads");
  refused(vadd + " --block 0" + kArguments, "--block");
  refused(vadd + " --grid 1,65536" + kArguments, "--grid: is no grid that can be launched (found 1,65536,1");
  refused(vadd + " --grid 1,2,3,4" + kArguments, "--grid");
  refused(vadd + " --shared 102400" + kArguments, "a block asks for more than an SM has of shared memory");
  refused(vadd + " --arg a=float[40000000]:1 --arg b=float[1] --arg c=float[1] --arg n=1",
          "--arg: the arrays do not fit into the card's memory");
  refused(vadd + " --arg a=float[1000000000000]:1", "--arg: a: count out of range");
  refused(vadd + " --arg a=flot[4]", "--arg: a: is no element type; did you mean float?");
  refused(vadd + " --arg a=float[4", "--arg: a: has no ]");
  refused(vadd + " --arg a=x", "--arg: a: not a whole number");
  refused(vadd + " --arg a=float[4]:@" + d.path("absent"), "absent");
  refused(vadd + " --arg a=1 --arg a=2", "--arg: is another argument's name");
  refused(kVadd + " --read d", "--read: is no argument (found d, allowed a, b, c)");
  refused(kVadd + " --read n", "--read: is a scalar");
  refused(kVadd + " --expect c=" + d.path("absent"), "absent cannot be read");
  refused(kVadd + " --expect c=" + d.file("short", "xyz"), "--expect");
  refused(kVadd + " --cache-control some", "--cache-control");
  refused(kVadd + " --set l2.ways=0", "l2.ways");
  refused(kVadd + " --seed -1", "--seed");
}

BOOST_AUTO_TEST_CASE(no_file_that_a_launch_reads_is_replaced_by_what_it_writes) {
  const TempFolder d;
  const std::string b = d.file("b", bytes_of(std::vector<float>(1024, 1.0F))), kept = test::contents(b);
  const std::string launch =
      kShape + " --arg a=float[1024]:1.0 --arg b=float[1024]:@" + b + " --arg c=float[1024] --arg n=1024 --read c";
  for (const char* option : {"--dump-pushbuffer ", "--trace ", "--trace-db ", "--trace-csv ", "--vcd "}) {
    const Result r = command(launch + " " + option + b);
    BOOST_TEST(r.code == 2, r.out);
    BOOST_TEST(has(r.out, "cannot be written: the run reads it"), r.out);
    BOOST_TEST((test::contents(b) == kept), option);
  }
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_together) {
  const Result r = command("launch kernels.sm_90 --kernel vadd --config absent --grid 0 --arg a=flot[4] --arg b=");
  BOOST_TEST(r.code == 2);
  for (const char* part : {"kernels.sm_90", "absent", "--grid", "flot", "--arg: b"})
    BOOST_TEST(has(r.out, part), std::string(part) + ": " + r.out);
}

BOOST_AUTO_TEST_CASE(the_dump_of_a_launch_decodes_cleanly_and_tells_the_story) {
  TempFolder d;
  BOOST_TEST(command(kVadd + " --read c --dump-pushbuffer " + d.path("a.dump")).code == 0);
  const Result r = command("decode " + d.path("a.dump"));
  BOOST_TEST(r.code == 0, r.out);
  std::size_t at = 0;
  for (const char* part : {"channel 0: work-submit token 0x100, GPFIFO of 64 entries",
                           "channel 0, GPFIFO entry 0: ",
                           "ADA_COMPUTE_A",
                           "AMPERE_DMA_COPY_B",
                           "LAUNCH_DMA",
                           "doorbell at ",
                           "token 0x100 (channel 0), GP_PUT 1",
                           "l2_flush_dirty",
                           "SET_INLINE_QMD_ADDRESS_A",
                           "QMD, 64 words inline",
                           "L1_SYSMEMBAR",
                           "CTA_RASTER_WIDTH ",
                           "4  blocks, x",
                           "CTA_THREAD_DIMENSION0 ",
                           "256  threads, x",
                           "REGISTER_COUNT_V ",
                           "10  registers",
                           "RELEASE0_ADDRESS_LOWER ",
                           "PROGRAM_ADDRESS_LOWER ",
                           "LAUNCH_DMA",
                           "FLUSH_TYPE sys"}) {
    at = r.out.find(part, at);
    BOOST_TEST_REQUIRE(at != std::string::npos, part << " in its turn in\n" << r.out);
  }
  BOOST_TEST(!has(r.out, "**"), r.out);
}

BOOST_AUTO_TEST_CASE(two_runs_give_the_same_bytes) {
  TempFolder d;
  const std::string random = kShape +
                             " --arg 'a=float[1024]:random' --arg 'b=float[1024]:random(-1,1)' "
                             "--arg c=float[1024] --arg n=1024 --read c --dump-pushbuffer ";
  auto one = json_of(random + d.path("1")), two = json_of(random + d.path("2"));
  const auto other = json_of(random + d.path("3") + " --seed 2");
  for (auto* j : {&one, &two}) j->erase("wall_s");
  BOOST_TEST(one == two);
  BOOST_TEST(test::contents(d.path("1")) == test::contents(d.path("2")));
  BOOST_TEST(one["read"]["c"]["first"] != other["read"]["c"]["first"]);
}

// -- As an experiment ------------------------------------------------------------------------------------------------

namespace {

const char* const kExperiment = R"(
experiment: add
config: tiny
launch:
  listing: kernels.sm_89
  kernel: vadd
  grid: 4
  block: 256
  arguments:
    - a=float[1024]:1.0
    - b=float[1024]:1.0
    - c=float[1024]
    - n=1024
  read: [c]
)";

}  // namespace

BOOST_AUTO_TEST_CASE(a_launch_runs_as_an_experiment_and_writes_its_results) {
  TempFolder d;
  const std::string run = "run " + d.file("add.yaml", kExperiment) + " --format json --check --out ";
  const Result r = command(run + (d.path() / "r").string());
  BOOST_TEST(r.code == 0, r.out);
  const auto summary = test::summary_in(d.path() / "r");
  BOOST_TEST(nlohmann::json::parse(r.out) == summary);
  BOOST_TEST(summary["experiment"] == "add");
  BOOST_TEST(summary["read"]["c"]["last"] == 2.0);
  BOOST_TEST(test::listing(d.path() / "r") == "config.yaml experiment.yaml pictures.json stats.json summary.json");
  BOOST_TEST(test::contents(d.path() / "r/experiment.yaml") == kExperiment);
  const auto stats = nlohmann::json::parse(test::contents(d.path() / "r/stats.json"));
  BOOST_TEST(stats["host"]["engine"]["launches"]["value"] == 1);
  BOOST_TEST(stats["host"]["distributor"]["blocks"]["value"] == 4);
  BOOST_TEST(command("config check " + (d.path() / "r/config.yaml").string()).code == 0);
}

BOOST_AUTO_TEST_CASE(the_shipped_experiment_prints_the_last_element) {
  TempFolder d;
  const Result r = command("run launch-vadd --config tiny --out " + (d.path() / "r").string());
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(r.out.rfind("c[0]=2.000000 c[1048575]=2.000000\n", 0) == 0U, r.out);
  BOOST_TEST(test::summary_in(d.path() / "r")["blocks"] == 4096);
}

BOOST_AUTO_TEST_CASE(mistakes_in_an_experiment_exit_2_with_line_and_column_and_write_nothing) {
  TempFolder d;
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& says) {
    std::string text = kExperiment;
    text.replace(text.find(from), from.size(), to);
    const Result r = command("run " + d.file("bad.yaml", text) + " --out " + (d.path() / "r").string());
    BOOST_TEST(r.code == 2, to + ": " + r.out);
    BOOST_TEST(has(r.out, says), to + ": " + r.out);
    BOOST_TEST(!test::fs::exists(d.path() / "r/summary.json"));
  };
  refused("kernel: vadd", "kernel: vad", "did you mean vadd?");
  refused("block: 256", "block: 2048", "bad.yaml:8:");
  refused("grid: 4", "grid: 0", "bad.yaml:7:");
  refused("    - b=float[1024]:1.0\n", "    - b=flot[1024]:1.0\n", "bad.yaml:11:");
  refused("read: [c]", "read: [d]", "bad.yaml:14:");
  refused("  read:", "  raed:", "did you mean read?");
  refused("kernels.sm_89", "absent", "absent");
  const std::string good = d.file("good.yaml", kExperiment);
  BOOST_TEST(command("run " + good + " --check --fault drop:request@x --out " + d.path("r")).code == 2);
  BOOST_TEST(command("run " + good + " --out /proc/nowhere/x").code == 2);
}
