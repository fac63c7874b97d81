/** Knows which records of a strongly consistent index all copies of a shard hold. */
@NullMarked
package io.varve.shard.replicated;

import org.jspecify.annotations.NullMarked;
