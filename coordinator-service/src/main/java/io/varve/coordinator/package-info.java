/**
 * The service to which clients connect: it routes requests, merges answers and leads the cluster.
 */
@NullMarked
package io.varve.coordinator;

import org.jspecify.annotations.NullMarked;
