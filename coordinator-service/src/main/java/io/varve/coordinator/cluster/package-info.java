/**
 * This process's part in the cluster: heartbeats, the cluster log's leader, and forwarding to it.
 */
@NullMarked
package io.varve.coordinator.cluster;

import org.jspecify.annotations.NullMarked;
