/** Formats of values and keys of buckets. */
@NullMarked
package io.varve.search.aggregation.format;

import org.jspecify.annotations.NullMarked;
