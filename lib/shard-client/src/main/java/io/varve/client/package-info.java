/** Calls to nodes and to the copies of shards on them. */
@NullMarked
package io.varve.client;

import org.jspecify.annotations.NullMarked;
