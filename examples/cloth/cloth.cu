// SPDX-License-Identifier: Apache-2.0

// A cloth that falls: implicit Euler steps, each by Newton's method, each of whose iterations solves a linear system by conjugate gradients.
// Three loops in one another, and no number goes back to the host until the last step is done.

#include "../anywhere.hpp"
#include "../command_line.hpp"
#include "cloth.hpp"

#include <cstdio>

namespace cloth {

struct options {
    int particles = 17;
    int number_of_steps = 60;
    double time_step = 1.0 / 60;
};

constexpr const char* usage =
    R"(usage: cloth [--size N] [--steps M] [--time-step S]
  --size N       N by N particles, 3 to 512 (default 17)
  --steps M      steps of time (default 60)
  --time-step S  in seconds, 0.001 to 0.05 (default 1/60)
)";

options parse(int argc, char** argv) {
    options chosen;
    command_line::read(argc, argv,
                       {{"--size", 3, 512, chosen.particles}, {"--steps", 1, 1e6, chosen.number_of_steps}, {"--time-step", 0.001, 0.05, chosen.time_step}});
    return chosen;
}

/// The largest part by which a spring is longer than it is at rest.
double largest_stretch(const anywhere::array<vec3>& at, const sheet& s) {
    double most = 0;
    for (index_t i = 0; i < static_cast<index_t>(at.size()); ++i)
        for (int k = 0; k < sheet::most_springs; ++k) {
            const sheet::spring spring = s.spring_of(i, k);
            if (!spring.exists) continue;
            const vec3 along = at[static_cast<std::size_t>(spring.other)] - at[static_cast<std::size_t>(i)];
            most = std::fmax(most, sqrt(dot(along, along)) / spring.rest - 1);
        }
    return most;
}

/// How far the two halves of the cloth, which are alike, are from each other's mirror image.
double asymmetry(const anywhere::array<vec3>& at, int n) {
    double most = 0;
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column) {
            const vec3 left = at[static_cast<std::size_t>(row * n + column)], right = at[static_cast<std::size_t>(row * n + n - 1 - column)];
            most = std::fmax(most, std::fabs(left.x - (1 - right.x)) + std::fabs(left.y - right.y) + std::fabs(left.z - right.z));
        }
    return most;
}

int fall(const options& chosen) {
    const int n = chosen.particles;
    const sheet s{n, chosen.time_step, 10.0 * n * n * n};
    const std::size_t particles = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    const anywhere::array<vec3> at(particles), speed(particles);
    const anywhere::array<int> iterations(1), wrong(1);
    for (std::size_t i = 0; i < particles; ++i)
        at[i] = {static_cast<double>(static_cast<int>(i) % n) / (n - 1), static_cast<double>(static_cast<int>(i) / n) / (n - 1), 0};
    const vec3 corners[] = {at[0], at[static_cast<std::size_t>(n - 1)]};

    anywhere::run(program, x(at.span()), velocity(speed.span()), the_sheet(s), steps(chosen.number_of_steps), accuracy(1e-3), newton(iterations.data()),
                  failed(wrong.data()));

    double lowest = 0, moved = 0;
    for (const vec3& one : at.span()) lowest = std::fmin(lowest, one.z);
    for (const int corner : {0, 1}) {
        const vec3 difference = at[corner == 0 ? 0 : static_cast<std::size_t>(n - 1)] - corners[corner];
        moved = std::fmax(moved, dot(difference, difference));
    }
    const double stretch = largest_stretch(at, s), mirror = asymmetry(at, n);
    std::printf("%s: %d x %d particles, %d steps, %d iterations of Newton's method; lowest point %.3f, largest stretch %.1f %%\n",
                anywhere::way_to_run(), n, n, chosen.number_of_steps, iterations[0], lowest, 100 * stretch);
    if (wrong[0] > 0) {
        std::fprintf(stderr, "cloth: %d steps did not converge\n", wrong[0]);
        return 1;
    }
    const bool falls = lowest < 0 && moved == 0 && stretch < 0.5 && mirror < 1e-3;
    if (!falls) std::fprintf(stderr, "cloth: wrong result: moved %g, stretch %g, asymmetry %g\n", moved, stretch, mirror);
    return falls ? 0 : 1;
}

}  // namespace cloth

int main(int argc, char** argv) {
    return command_line::run("cloth", cloth::usage, [&] { return cloth::fall(cloth::parse(argc, argv)); });
}
