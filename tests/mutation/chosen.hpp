#pragma once

// Included before everything else when scripts/mutate compiles the models: which planted wrong rule is the one that
// holds.

namespace spillway::mutation {

// Set by the environment before any other object is made: SPILLWAY_MUTANT is the number of the wrong rule, none if it
// is missing; SPILLWAY_MUTANTS_REACHED names a file of a byte each that becomes 1 where a rule was asked for.
extern unsigned chosen;
extern unsigned char* reached;

// Not constexpr: what is computed when compiled cannot be chosen when run, so that compilers refuse it there.
inline bool holds(unsigned number) {
  if (reached != nullptr) {
    reached[number] = 1;
  }
  return number == chosen;
}

}  // namespace spillway::mutation
