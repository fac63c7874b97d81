/**
 * The primary of a shard: resolves, numbers and appends writes, applies accepted operations, and
 * publishes segments.
 */
@NullMarked
package io.varve.shard.primary;

import org.jspecify.annotations.NullMarked;
