/** The model of a cluster: nodes, indices, shards, and the allocation of copies. */
@NullMarked
package io.varve.cluster;

import org.jspecify.annotations.NullMarked;
