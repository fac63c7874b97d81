/** Calls between nodes that share a process. */
@NullMarked
package io.varve.cluster.local;

import org.jspecify.annotations.NullMarked;
