/**
 * Benchmarks of real processes. They report ratios to a baseline of the same run and never assert
 * on time.
 */
@NullMarked
package io.varve.load;

import org.jspecify.annotations.NullMarked;
