/** In-memory field values for sorting and aggregations, cached between searches. */
@NullMarked
package io.varve.engine.fielddata;

import org.jspecify.annotations.NullMarked;
