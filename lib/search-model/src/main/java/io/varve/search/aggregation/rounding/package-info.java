/** Rounding of times down to the start of an interval. */
@NullMarked
package io.varve.search.aggregation.rounding;

import org.jspecify.annotations.NullMarked;
