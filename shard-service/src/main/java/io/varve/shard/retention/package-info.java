/** Determines which part of a shard's operations log is still needed, and truncates the rest. */
@NullMarked
package io.varve.shard.retention;

import org.jspecify.annotations.NullMarked;
