/** Endpoints of the cluster and its nodes: identity, health, settings, state, statistics. */
@NullMarked
package io.varve.coordinator.rest.cluster;

import org.jspecify.annotations.NullMarked;
