/** Reaching the copies of a shard over the internal HTTP. */
@NullMarked
package io.varve.coordinator.rest.shard;

import org.jspecify.annotations.NullMarked;
