/**
 * Benchmarks of real processes. They report ratios to a baseline from the same run and never fail
 * because of elapsed time.
 */
@NullMarked
package io.varve.load;

import org.jspecify.annotations.NullMarked;
