/** Parses the aggregations in the body of a search. */
@NullMarked
package io.varve.search.aggregation.parse;

import org.jspecify.annotations.NullMarked;
