/** The final reduce: merged partial results become results, written as JSON. */
@NullMarked
package io.varve.search.aggregation.result;

import org.jspecify.annotations.NullMarked;
