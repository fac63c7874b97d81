/** The internal HTTP endpoints of primaries, and of the segment store to which they upload. */
@NullMarked
package io.varve.shard.http;

import org.jspecify.annotations.NullMarked;
