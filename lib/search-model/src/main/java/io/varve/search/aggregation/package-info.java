/** The aggregations of a request as a tree, independent of any mapping. */
@NullMarked
package io.varve.search.aggregation;

import org.jspecify.annotations.NullMarked;
