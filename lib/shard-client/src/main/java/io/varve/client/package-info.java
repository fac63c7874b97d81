/** Calls to nodes and to copies of shards. */
@NullMarked
package io.varve.client;

import org.jspecify.annotations.NullMarked;
