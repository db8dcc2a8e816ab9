// SPDX-License-Identifier: Apache-2.0
// Runs the kernels of instructions.cu and prints operands, results and shared words as hexadecimal words.
#include <cstdio>
#include <cstring>
#include <vector>
#include "instructions.cu"
int main() {
  const u32 special[] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000, 0xbf800000,
                         0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff,
                         0x40490fdb, 0x3c003c00, 0x7bff0400, 0x7ff00000, 0xfff80000, 0x41200000};
  std::vector<u32> in(512);
  u64 s = 12345;
  for (int k = 0; k < 512; ++k) {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    u32 r = s >> 32;
    in[k] = k % 3 == 0 && k < 400 ? special[(r >> 8) % 20]
            : k % 5 == 1          ? 0x3e000000 + (r >> 6) % 0x3000000
            : k % 7 == 2          ? r & 0xff
                                  : r;
  }
  u32 *di, *dout, *sh;
  cudaMalloc(&di, 2048);
  cudaMalloc(&dout, 8192 * 4);
  cudaMalloc(&sh, 65536);
  cudaMemcpy(di, in.data(), 2048, cudaMemcpyHostToDevice);
  std::vector<u32> out(2048), w(1024);
  struct {
    const char* name;
    void (*k)(const u32*, u32*, u32*);
  } all[] = {
#define E(n) {#n, n},
      E(integers) E(divisions) E(wide) E(wide2) E(floats) E(mufu) E(doubles) E(conversions) E(conversions2) E(halves)
          E(votes) E(branches) E(memory) E(atomics) E(orders) E(spin) E(specials)};
  printf("in");
  for (u32 v : in) printf(" %x", v);
  printf("\n");
  for (auto& k : all) {
    cudaMemset(dout, 0, 8192);
    cudaMemset(sh, 0, 65536);
    k.k<<<2, 64>>>(di, dout, sh);
    cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(out.data(), dout, 8192, cudaMemcpyDeviceToHost);
    cudaMemcpy(w.data(), sh, 4096, cudaMemcpyDeviceToHost);
    printf("%s %s\nout", k.name, cudaGetErrorString(e));
    for (u32 v : out) printf(" %x", v);
    printf("\nshared");
    for (u32 v : w) printf(" %x", v);
    printf("\n");
  }
}
