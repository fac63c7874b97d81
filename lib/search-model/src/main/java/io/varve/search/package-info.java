/** The model of a search: requests, queries, aggregations, and their answers. */
@NullMarked
package io.varve.search;

import org.jspecify.annotations.NullMarked;
