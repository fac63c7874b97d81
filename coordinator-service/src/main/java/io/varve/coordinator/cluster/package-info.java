/** The cluster log's leader, and how the others reach it: commands, membership, allocation. */
@NullMarked
package io.varve.coordinator.cluster;

import org.jspecify.annotations.NullMarked;
