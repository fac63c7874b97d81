/** Aggregations over the segments of one shard. */
@NullMarked
package io.varve.engine.search.aggregation;

import org.jspecify.annotations.NullMarked;
