/**
 * The store of segment files and manifests from which a shard can be restored, and file transfer
 * between copies.
 */
@NullMarked
package io.varve.store;

import org.jspecify.annotations.NullMarked;
