/**
 * Results of aggregations over a part of an index, which can be merged in any order and have a
 * packed form.
 */
@NullMarked
package io.varve.search.aggregation.partial;

import org.jspecify.annotations.NullMarked;
