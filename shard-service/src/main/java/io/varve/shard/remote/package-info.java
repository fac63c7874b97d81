/** The segment store as a shard's primary uses it: uploads, claims, garbage. */
@NullMarked
package io.varve.shard.remote;

import org.jspecify.annotations.NullMarked;
