/** Searches and counts documents across the copies of shards. */
@NullMarked
package io.varve.coordinator.rest.search;

import org.jspecify.annotations.NullMarked;
