/** Decides which node holds which copy of a shard. */
@NullMarked
package io.varve.control.allocation;

import org.jspecify.annotations.NullMarked;
