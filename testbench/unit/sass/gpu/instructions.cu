// SPDX-License-Identifier: Apache-2.0
// One kernel per family of instructions: in[4 i ..] are thread i's operands, out[16 i ..] its results.
#include <cuda_fp16.h>
#include <cstdint>
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
#define K(name) extern "C" __global__ void name(const u32* __restrict__ in, u32* out, u32* shared_words)
#define I                                                                           \
  const int i = blockIdx.x * blockDim.x + threadIdx.x;                              \
  const u32 a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3]; \
  u32* o = out + 16 * i;                                                            \
  const s32 x = a, y = b, z = c;                                                    \
  (void)d;                                                                          \
  (void)x;                                                                          \
  (void)y;                                                                          \
  (void)z;
#define F(v) __uint_as_float(v)
#define B(v) __float_as_uint(v)
#define W(n, v)                 \
  {                             \
    const u64 w_ = (u64)(v);    \
    o[n] = (u32)w_;             \
    o[n + 1] = (u32)(w_ >> 32); \
  }
#define DB(v) __double_as_longlong(v)
K(integers) {
  I o[0] = a * b + c;
  o[1] = __umulhi(a, b);
  o[2] = __mulhi(x, y);
  o[3] = min(x, y);
  o[4] = max(a, b);
  o[5] = abs(x);
  o[6] = a << (c & 31);
  o[7] = x >> (c & 31);
  o[8] = __funnelshift_l(a, b, c);
  o[9] = __funnelshift_rc(a, b, c);
  o[10] = __popc(a);
  o[11] = __clz(x);
  o[12] = __brev(a);
  o[13] = __ffs(x);
  o[14] = __byte_perm(a, b, c);
  o[15] = __dp4a(x, y, z);
}
K(divisions) {
  I o[0] = a / (b | 1);
  o[1] = a % (b | 1);
  o[2] = (x >> 1) / (y | 1);
  o[3] = (x >> 1) % (y | 1);
  o[4] = a / 7;
  o[5] = x % 10;
  o[6] = __sad(x, y, c);
  o[7] = __vabsdiffu4(a, b);
  o[8] = (a & b) | (~a & c);
  o[9] = (a == b) + (x < y) * 2 + (a >= c) * 4;
  o[10] = a + b * 4;
  u32 r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  o[11] = r;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d));
  o[12] = r;
  o[13] = __usad(a, b, c);
  o[14] = (u32)(((u64)a * b) >> 7);
  o[15] = (s32)(int8_t)a + (s32)(int16_t)b;
}
K(wide) {
  I const s64 p = (s64)((u64)a << 32 | b), q = (s64)((u64)c << 32 | d);
  W(0, p + q)
  W(2, p - q) W(4, p * q) W(6, p >> (c & 63)) W(8, (u64)p << (d & 63)) W(10, p < q ? p : q)
      W(12, (u64)p > (u64)q ? p : q) W(14, (p >> 1) / (q | 1))
}
K(wide2) {
  I const u64 p = (u64)a << 32 | b, q = (u64)c << 32 | d;
  W(0, p % (q | 1)) W(2, __umul64hi(p, q)) W(4, __mul64hi(p, q)) W(6, __brevll(p)) o[8] = __popcll(p);
  o[9] = __clzll(p);
  o[10] = __ffsll(p);
  o[11] = p == q;
  W(12, p >> (b & 63)) W(14, (s64)x * y + (s64)q)
}
K(floats) {
  I const float f = F(a), g = F(b), h = F(c);
  o[0] = B(f + g);
  o[1] = B(f * g);
  o[2] = B(fmaf(f, g, h));
  o[3] = B(fminf(f, g));
  o[4] = B(fmaxf(f, g));
  o[5] = (f < g) + 2 * (f == g) + 4 * (f >= h) + 8 * !(f > h) + 16 * isnan(f);
  o[6] = B(__fadd_rd(f, g));
  o[7] = B(__fmul_ru(f, g));
  o[8] = B(__fmaf_rz(f, g, h));
  o[9] = B(__saturatef(f));
  o[10] = B(f / g);
  o[11] = B(sqrtf(f));
  o[12] = B(1.f / f);
  o[13] = B(-fabsf(f) - h);
  o[14] = B(__fdividef(f, g));
  o[15] = B(f < g ? f : h);
}
K(mufu) {
  I const float f = F(a), g = F(b);
  float r;
  asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(f));
  o[0] = B(r);
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(f));
  o[1] = B(r);
  asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(f));
  o[2] = B(r);
  asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(g));
  o[3] = B(r);
  asm("cos.approx.f32 %0, %1;" : "=f"(r) : "f"(g));
  o[4] = B(r);
  asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(g));
  o[5] = B(r);
  asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(f));
  o[6] = B(r);
  asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(g));
  o[7] = B(r);
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(f));
  o[8] = B(r);
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(g));
  o[9] = B(r);
  o[10] = B(__expf(g));
  o[11] = B(__logf(f));
  o[12] = B(rsqrtf(f));
  o[13] = B(sinf(g));
  o[14] = B(expf(g));
  o[15] = B(powf(f, g));
}
K(doubles) {
  I const double f = __longlong_as_double((u64)a << 32 | b), g = __longlong_as_double((u64)c << 32 | d);
  W(0, DB(f + g))
  W(2, DB(f * g)) W(4, DB(fma(f, g, f))) W(6, DB(f / g)) W(8, DB(sqrt(f))) W(10, DB(fmin(f, g))) o[12] =
      (f < g) + 2 * (f == g) + 4 * (f >= g) + 8 * isnan(f);
  o[13] = B((float)f);
  W(14, DB(__dadd_rd(f, g)))
}
K(conversions) {
  I const float f = F(a);
  const double e = __longlong_as_double((u64)b << 32 | c);
  o[0] = (s32)f;
  o[1] = (u32)f;
  o[2] = __float2int_rn(f);
  o[3] = __float2int_ru(f);
  W(4, (s64)f) W(6, (u64)f) o[8] = B((float)x);
  o[9] = B((float)a);
  o[10] = B((float)(s64)((u64)a << 32 | b));
  o[11] = B(__uint2float_rz(a));
  o[12] = B(floorf(f));
  o[13] = B(rintf(f));
  o[14] = (s32)e;
  o[15] = B((float)e);
}
K(conversions2) {
  I const float f = F(a);
  const double e = __longlong_as_double((u64)b << 32 | c);
  W(0, DB((double)f))
  W(2, DB((double)x)) W(4, DB((double)(u64)((u64)a << 32 | b))) W(6, (s64)e) W(8, DB(floor(e))) o[10] =
      __half_as_ushort(__float2half_rn(f));
  o[11] = B(__half2float(__ushort_as_half(a)));
  o[12] = B((float)(uint8_t)a) + B((float)(int16_t)(a >> 16));
  o[13] = (uint8_t)(s32)f;
  o[14] = B(truncf(f) + ceilf(f));
  half2 h2 = __floats2half2_rn(f, F(d));
  o[15] = *(u32*)&h2;
}
K(halves) {
  I half2 f = *(const half2*)&a, g = *(const half2*)&b, h = *(const half2*)&c, r;
#define H(n, v) \
  r = (v);      \
  o[n] = *(u32*)&r;
  H(0, __hadd2(f, g))
  H(1, __hmul2(f, g)) H(2, __hfma2(f, g, h)) H(3, __hsub2(f, g)) H(4, __hmin2(f, g)) H(5, __hmax2(f, h))
      H(6, __hadd2_sat(f, g)) o[7] = __hlt(f.x, g.x) + 2 * __hge(f.y, g.y) + 4 * __hequ(f.x, h.y);
  H(8, __heq2(f, g)) o[9] = B(__low2float(__hadd2(f, h)));
  H(10, __hfma2_relu(f, g, h)) o[11] = __half_as_ushort(__hadd(f.x, g.y));
  H(12, __hneg2(f)) H(13, __habs2(g)) H(14, __half2half2(f.y)) o[15] = B(__half2float(f.x) * __half2float(g.y));
}
K(votes) {
  I const bool p = a & 1;
  const int lane = threadIdx.x & 31;
  o[0] = __ballot_sync(~0u, p);
  o[1] = __any_sync(~0u, p) + 2 * __all_sync(~0u, a != b);
  o[2] = __shfl_sync(~0u, a, b);
  o[3] = __shfl_up_sync(~0u, a, 3);
  o[4] = __shfl_down_sync(~0u, a, 5, 16);
  o[5] = __shfl_xor_sync(~0u, a, 9);
  o[6] = __match_any_sync(~0u, a & 3);
  o[7] = __reduce_add_sync(~0u, a);
  o[8] = __reduce_min_sync(~0u, x);
  o[9] = __reduce_or_sync(~0u, a & 0xff0);
  int all;
  o[10] = __match_all_sync(~0u, blockIdx.x, &all);
  o[11] = all;
  o[12] = p ? __activemask() : 7;
  o[13] = lane < 16 ? __ballot_sync(0xffff, p) : __ballot_sync(0xffff0000, !p);
  o[14] = __syncthreads_count(p);
  o[15] = __syncthreads_and(a != 0) + 2 * __syncthreads_or(a == 0);
}
__device__ __noinline__ u32 collatz(u32 v) {
  u32 steps = 0;
  while (v != 1 && steps < 200) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    ++steps;
  }
  return steps;
}
__device__ __noinline__ u32 fib(u32 n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
K(branches) {
  I o[0] = collatz((a & 1023) + 1);
  u32 s = 0;
  for (u32 k = 0; k < (a & 15); ++k) {
    if ((b >> k) & 1) continue;
    if (k == (c & 15)) break;
    s += k;
    for (u32 m = 0; m < (k & 3); ++m) s ^= d >> m;
  }
  o[1] = s;
  switch (a & 7) {
    case 0:
      s = b;
      break;
    case 1:
      s = b * c;
      break;
    case 2:
      s = b ^ d;
      break;
    case 3:
      s = b - c;
      break;
    case 4:
      s = __popc(b);
      break;
    case 5:
      s = b / 3;
      break;
    case 6:
      s = collatz((b & 255) + 1);
      break;
    default:
      s = 99;
  }
  o[2] = s;
  o[3] = fib(a & 7);
  u32 (*fn)(u32) = a & 1 ? collatz : fib;
  o[4] = fn((b & 7) + 1);
  if (a & 16) {
    o[5] = 1;
    return;
  }
  o[5] = 2;
  o[6] = a && b || c && d;
}
K(memory) {
  I __shared__ u32 t[1024];
  __shared__ uint8_t bytes[512];
  __shared__ double dd[128];
  u32 local[16];
  for (int k = 0; k < 16; ++k) local[k] = a * k + b;
  o[0] = local[c & 15];
  local[b & 15] = 5;
  o[1] = local[d & 15];
  const int q = threadIdx.x;
  bytes[q] = (uint8_t)a;
  *(uint4*)&t[4 * q] = make_uint4(a, b, c, d);
  dd[q] = (double)x;
  __syncthreads();
  o[2] = bytes[q ^ 1];
  o[3] = ((int16_t*)t)[q ^ 3];
  uint2 v = *(uint2*)&t[2 * (q ^ 5)];
  o[4] = v.x;
  o[5] = v.y;
  W(6, DB(dd[q ^ 7])) u32* g = (a & 1) ? &t[q] : &shared_words[q];
  o[8] = *g;
  __syncthreads();
  if (q < 16) t[q] = 0;
  __syncthreads();
  atomicAdd(&t[0], 1u);
  atomicMax(&t[1], a);
  atomicMin((int*)&t[2], x);
  atomicXor(&t[3], b);
  atomicAdd((float*)&t[4], 1.0f);
  atomicCAS(&t[5], 0u, 9u);
  atomicInc(&t[6], 40);
  __syncthreads();
  for (int k = 0; k < 7; ++k) o[9 + k] = t[k];
}
K(atomics) {
  I u32* s = shared_words;
  o[0] = 0;
  atomicAdd(&s[0], a);
  atomicMax((int*)&s[1], x);
  atomicMin(&s[2], a);
  atomicAnd(&s[3], ~a);
  atomicOr(&s[4], a);
  atomicXor(&s[5], a);
  atomicAdd((float*)&s[6], 0.5f);
  atomicAdd((double*)&s[8], 0.25);
  atomicAdd((unsigned long long*)&s[10], (unsigned long long)a << 20);
  atomicMax((unsigned long long*)&s[12], (unsigned long long)a << 20);
  atomicInc(&s[14], 99);
  atomicDec(&s[15], 99);
  atomicAdd((half2*)&s[16], __floats2half2_rn(1.f, 2.f));
  o[1] = atomicCAS(&s[32 + i], 0u, a);
  o[2] = atomicExch(&s[32 + i], b);
  o[3] = atomicCAS(&s[32 + i], b, c);
  o[4] = atomicSub(&s[32 + i], d);
  W(6, atomicCAS((unsigned long long*)&s[160 + 2 * i], 0ull, (unsigned long long)a << 32 | b))
  W(8, atomicExch((unsigned long long*)&s[160 + 2 * i], 77ull)) o[10] =
      B(atomicAdd((float*)&s[416 + i], F(0x3f800000 + (b & 0xffff))));
  o[11] = atomicAnd(&s[416 + i], c);
}
K(orders) {
  I u32 r, *p = shared_words + i;
  u64 w;
#define LD(n, f)                                              \
  asm volatile(f " %0, [%1];" : "=r"(r) : "l"(p) : "memory"); \
  o[n] = r;
#define ST(f) asm volatile(f " [%0], %1;" ::"l"(p), "r"(a + (u32)__COUNTER__) : "memory");
  ST("st.global.u32")
  LD(0, "ld.global.cg.u32") ST("st.global.cs.u32") LD(1, "ld.global.cs.u32") ST("st.global.wt.u32")
      LD(2, "ld.global.lu.u32") ST("st.relaxed.gpu.global.u32") LD(3, "ld.global.cv.u32")
          ST("st.release.gpu.global.u32") LD(4, "ld.acquire.gpu.global.u32") ST("st.relaxed.sys.global.u32")
              LD(5, "ld.relaxed.cta.global.u32") ST("st.release.cta.global.u32") LD(6, "ld.acquire.cta.global.u32")
                  ST("st.release.sys.global.u32") LD(7, "ld.acquire.sys.global.u32") ST("st.global.L1::no_allocate.u32")
                      LD(8, "ld.global.L1::evict_first.u32") ST("st.global.L1::evict_last.u32") LD(
                          9, "ld.global.L1::evict_last.u32") ST("st.u32") LD(10, "ld.u32")
                          LD(11, "ld.global.L1::no_allocate.L2::128B.u32") LD(12, "ld.volatile.u32") asm volatile(
                              "fence.acq_rel.gpu; fence.sc.cta; fence.acq_rel.sys; fence.sc.gpu; fence.acq_rel.cta;" ::
                                  : "memory");
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 3;" : "=r"(r) : "l"(p) : "memory");
  o[13] = r;
  asm volatile("red.release.gpu.global.add.u32 [%0], 4;" ::"l"(p) : "memory");
  asm volatile("atom.relaxed.sys.global.exch.b32 %0, [%1], 3;" : "=r"(r) : "l"(p) : "memory");
  o[14] = r;
  asm volatile("prefetch.global.L2 [%0]; prefetch.global.L1 [%0]; discard.global.L2 [%1], 128;" ::"l"(p),
               "l"(shared_words + 4096)
               : "memory");
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(w));
  asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(r) : "l"(p), "l"(w) : "memory");
  o[15] = r;
}
K(spin) {
  I volatile u32* lock = shared_words;
  bool done = false;
  while (!done) {
    if (atomicCAS((u32*)lock, 0u, 1u) == 0) {
      lock[1] = lock[1] + 1;
      __threadfence();
      atomicExch((u32*)lock, 0u);
      done = true;
    }
  }
  o[0] = 1;
  __shared__ volatile u32 turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (turn != threadIdx.x) __nanosleep(20);
    turn = threadIdx.x + 1;
  }
  o[1] = a;
}
K(specials) {
  I u32 r;
  o[0] = threadIdx.y + 100 * threadIdx.z;
  o[1] = blockIdx.y + blockDim.y * 10 + gridDim.x * 100 + gridDim.z * 1000;
  asm("mov.u32 %0, %laneid;" : "=r"(r));
  o[2] = r;
  asm("mov.u32 %0, %lanemask_lt;" : "=r"(r));
  o[3] = r;
  asm("mov.u32 %0, %lanemask_ge;" : "=r"(r));
  o[4] = r;
  asm("mov.u32 %0, %lanemask_eq;" : "=r"(r));
  o[5] = r;
  long long t = clock64();
  asm volatile("mov.u32 %0, %smid;" : "=r"(r));
  u64 g;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(g));
  o[6] = r < 1000 && g > 0;
  asm volatile("mov.u32 %0, %warpid;" : "=r"(r));
  o[7] = (clock64() - t) >= 0 && r < 64;
  asm volatile("bar.sync 1, 64;");
  asm volatile("mov.u32 %0, %nwarpid;" : "=r"(r));
  o[8] = r > 0;
}
__global__ void tile(const float* __restrict__ p, const float* __restrict__ q, float* r, int n) {
  __shared__ float s[16][17], t[16][17];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[y][x] = p[row * n + k + x];
    t[y][x] = q[(k + y) * n + col];
    __syncthreads();
#pragma unroll
    for (int m = 0; m < 16; ++m) sum += s[y][m] * t[m][x];
    __syncthreads();
  }
  r[row * n + col] = sum;
}
__global__ void reduce(const float* p, float* r, int n) {
  __shared__ float part[8];
  float s = 0;
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += blockDim.x * gridDim.x) s += p[k];
  for (int m = 16; m; m >>= 1) s += __shfl_xor_sync(~0u, s, m);
  if (!(threadIdx.x & 31)) part[threadIdx.x >> 5] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 8; ++k) s += part[k];
    atomicAdd(r, s);
  }
}
