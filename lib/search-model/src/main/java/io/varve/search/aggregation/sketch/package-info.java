/** Summaries of many values in little space. */
@NullMarked
package io.varve.search.aggregation.sketch;

import org.jspecify.annotations.NullMarked;
