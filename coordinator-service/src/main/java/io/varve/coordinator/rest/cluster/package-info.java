/** The cluster as clients see it: identity, health, settings, state and nodes. */
@NullMarked
package io.varve.coordinator.rest.cluster;

import org.jspecify.annotations.NullMarked;
