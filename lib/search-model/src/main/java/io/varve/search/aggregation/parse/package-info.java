/** Reads the tree of aggregations from a search's body. */
@NullMarked
package io.varve.search.aggregation.parse;

import org.jspecify.annotations.NullMarked;
