/** The model of a search: requests, queries, aggregations, and their results. */
@NullMarked
package io.varve.search;

import org.jspecify.annotations.NullMarked;
