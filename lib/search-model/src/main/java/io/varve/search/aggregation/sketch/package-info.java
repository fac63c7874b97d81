/** Summaries of many values in bounded space. */
@NullMarked
package io.varve.search.aggregation.sketch;

import org.jspecify.annotations.NullMarked;
