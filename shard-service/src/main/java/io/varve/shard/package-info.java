/** The service that holds primaries and accepts writes. */
@NullMarked
package io.varve.shard;

import org.jspecify.annotations.NullMarked;
