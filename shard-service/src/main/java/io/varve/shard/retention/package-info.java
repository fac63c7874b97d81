/** How much of a shard's operations log is still needed, and its truncation. */
@NullMarked
package io.varve.shard.retention;

import org.jspecify.annotations.NullMarked;
