/** The store of segment files and manifests, from which a shard can be rebuilt. */
@NullMarked
package io.varve.store;

import org.jspecify.annotations.NullMarked;
