// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/singular_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gputlm {

namespace {

constexpr double kOrthogonal = 4 * std::numeric_limits<double>::epsilon();
constexpr int kMostSweeps = 60;  // about ten do

void rotate(std::vector<double>& a, std::vector<double>& b, double cosine, double sine) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double old = a[i];
    a[i] = cosine * old - sine * b[i];
    b[i] = sine * old + cosine * b[i];
  }
}

/// Makes two columns orthogonal, and does the same to the directions. False when they were.
bool make_orthogonal(std::vector<double>& a, std::vector<double>& b, std::vector<double>& a_direction,
                     std::vector<double>& b_direction) {
  const double aa = dot(a, a), bb = dot(b, b), ab = dot(a, b);
  if (std::abs(ab) <= kOrthogonal * std::sqrt(aa * bb)) return false;
  const double zeta = (bb - aa) / (2 * ab);
  const double tangent = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
  const double cosine = 1 / std::hypot(1.0, tangent);
  rotate(a, b, cosine, cosine * tangent);
  rotate(a_direction, b_direction, cosine, cosine * tangent);
  return true;
}

Columns identity(std::size_t size) {
  Columns one(size, std::vector<double>(size, 0.0));
  for (std::size_t i = 0; i < size; ++i) one[i][i] = 1;
  return one;
}

}  // namespace

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double norm(const std::vector<double>& a) {
  return std::sqrt(dot(a, a));
}

void add_scaled(std::vector<double>& a, double factor, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

SingularValues singular_values(Columns matrix) {
  const std::size_t count = matrix.size();
  Columns directions = identity(count);
  bool turned = true;
  for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
    turned = false;
    for (std::size_t a = 0; a + 1 < count; ++a)
      for (std::size_t b = a + 1; b < count; ++b)
        turned = make_orthogonal(matrix[a], matrix[b], directions[a], directions[b]) || turned;
  }
  std::vector<double> lengths;
  for (const std::vector<double>& column : matrix) lengths.push_back(norm(column));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
  SingularValues result;
  for (const std::size_t i : order) {
    result.values.push_back(lengths[i]);
    if (lengths[i] > 0)
      for (double& item : matrix[i]) item /= lengths[i];
    result.left.push_back(std::move(matrix[i]));
    result.right.push_back(std::move(directions[i]));
  }
  return result;
}

}  // namespace gputlm
