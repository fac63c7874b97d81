/**
 * A primary: resolves, numbers and appends writes, applies what was accepted, publishes segments.
 */
@NullMarked
package io.varve.shard.primary;

import org.jspecify.annotations.NullMarked;
