/**
 * The coordinator as a cluster member: heartbeats, leadership of the cluster log, and forwarding of
 * commands to the leader.
 */
@NullMarked
package io.varve.coordinator.cluster;

import org.jspecify.annotations.NullMarked;
