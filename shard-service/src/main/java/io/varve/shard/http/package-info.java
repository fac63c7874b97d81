/** The internal HTTP endpoints of primaries, and of the segment store that they upload to. */
@NullMarked
package io.varve.shard.http;

import org.jspecify.annotations.NullMarked;
