/** Pipeline aggregations: metrics over the results of other aggregations. */
@NullMarked
package io.varve.search.aggregation.pipeline;

import org.jspecify.annotations.NullMarked;
