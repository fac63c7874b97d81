/** Wires the clients of nodes and shards into the coordinator. */
@NullMarked
package io.varve.coordinator.rest.shard;

import org.jspecify.annotations.NullMarked;
