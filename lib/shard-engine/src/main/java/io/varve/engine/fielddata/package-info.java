/** Values of fields that are kept in memory between searches, for sorting and aggregations. */
@NullMarked
package io.varve.engine.fielddata;

import org.jspecify.annotations.NullMarked;
