// SPDX-License-Identifier: Apache-2.0
// Small kernels whose sm_89 SASS serves as real compiler output for the model's front end.
#include <cstdint>
extern "C" {
__global__ void vadd(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__global__ void fill(uint32_t* out, uint32_t value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = value + i;
}
__global__ void fill_bytes(uint8_t* out, int n) {            // one byte per 32-byte sector
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[32 * (size_t)i] = (uint8_t)i;
}
__global__ void copy4(const uint4* __restrict__ in, uint4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
__global__ void grid_stride_sum(const float* in, float* out, int n) {   // loop, strided loads
    float s = 0.f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void producer_consumer(volatile int* flag, int* data, int* seen) {  // message passing across two blocks
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) { data[0] = 42; __threadfence(); *flag = 1; }
        else { while (*flag == 0) {} __threadfence(); seen[0] = data[0]; }
    }
}
__global__ void system_fence(int* data, volatile int* flag) { data[threadIdx.x] = threadIdx.x; __threadfence_system(); if (threadIdx.x == 0) *flag = 1; }
__global__ void block_fence(int* data, volatile int* flag) { data[threadIdx.x] = threadIdx.x; __threadfence_block(); if (threadIdx.x == 0) *flag = 1; }
__global__ void ticket(unsigned* counter, unsigned* order) { order[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(counter, 1u); }
__global__ void saxpy_shared(const float* x, float* y, float a, int n) {  // shared memory + barrier
    __shared__ float t[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[threadIdx.x] = i < n ? x[i] : 0.f;
    __syncthreads();
    if (i < n) y[i] = a * t[255 - threadIdx.x] + y[i];
}
}
