/** Measures how the costs of a cluster grow with its nodes, indices, shards and copies. */
@NullMarked
package io.varve.load.growth;

import org.jspecify.annotations.NullMarked;
