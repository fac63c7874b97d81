/** The model of a cluster: nodes, indices, shards, and where each copy lives. */
@NullMarked
package io.varve.cluster;

import org.jspecify.annotations.NullMarked;
