#include "sass_bench.h"
#include <cstdio>
#include <fstream>
#include <sstream>
using namespace gputlm; using namespace gputlm::sass_test;
BOOST_AUTO_TEST_CASE(x) {
  auto listing = read_listing("/tmp/s4/probe/inst.sass");
  std::ifstream f("/tmp/s4/probe/results.txt");
  std::vector<uint32_t> in; std::map<std::string, std::vector<uint32_t>> outs, shs; std::string line, name;
  auto nums = [](std::istringstream& s){ std::vector<uint32_t> v; std::string t; while (s >> t) v.push_back(std::stoul(t,nullptr,16)); return v; };
  while (std::getline(f, line)) { std::istringstream s(line); std::string w; s >> w; if (w=="in") in = nums(s); else if (w=="out") outs[name]=nums(s); else if (w=="shared") shs[name]=nums(s); else name=w; }
  for (auto& [n, expect] : outs) {
    FlatMachine m(1<<20);
    try {
      SassKernel k = listing.kernel(n);
      if (n == "memory") m.launch.shared_bytes = 0x1200 + 1024; 
      m.launch.shared_bytes = 8192; m.launch.local_bytes = 4096;
      m.launch.grid = {2,1,1}; m.launch.block={64,1,1};
      std::vector<unsigned> banks{2,4};
      std::vector<uint32_t> b2{1,0,0x9f0,0,0xbe0,0}; if (n=="mufu") b2={0x54442d19, 0x3bf921fb};
      m.launch.banks[2].resize(b2.size()*4); std::memcpy(m.launch.banks[2].data(), b2.data(), b2.size()*4);
      SassCode code(listing, k, banks);
      m.write(0, in);
      Parameters p; p << (FlatMachine::kBase) << (FlatMachine::kBase+0x10000) << (FlatMachine::kBase+0x20000);
      m.run(code, p);
      auto got = m.read<uint32_t>(0x10000, 2048); auto sh = m.read<uint32_t>(0x20000, 1024);
      std::map<int,int> bad; std::map<int,std::string> ex; for (int i=0;i<2048;i++) if (got[i]!=expect[i]) { bad[i%16]++; if (ex[i%16].size() < 300) { char b[200]; int t=i/16; snprintf(b,200," [t%d %x %x %x %x: got %x want %x]", t, in[4*t],in[4*t+1],in[4*t+2],in[4*t+3], got[i],expect[i]); ex[i%16]+=b; } }
      int sb=0; for (int i=0;i<1024;i++) if (sh[i]!=shs[n][i]) { sb++; if (sb<4) printf("  sh[%d] got %x want %x\n", i, sh[i], shs[n][i]); }
      printf("%s: bad shared %d, out of range %zu\n", n.c_str(), sb, m.out_of_range);
      for (auto& [c,k2] : bad) printf("   o[%d]: %d %s\n", c, k2, ex[c].c_str());
      for (auto& fa : m.faults) { printf("   FAULT %s\n", fa.text().c_str()); break; }
    } catch (std::exception& e) { printf("%s: EXC %s\n", n.c_str(), e.what()); }
  }
}
