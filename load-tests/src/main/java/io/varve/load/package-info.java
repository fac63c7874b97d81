/**
 * Benchmarks of real processes: ratios against a baseline in the same run, never an assertion on
 * time.
 */
@NullMarked
package io.varve.load;

import org.jspecify.annotations.NullMarked;
