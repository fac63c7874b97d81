/** Endpoints of the segment store: statistics, metadata, restore and garbage. */
@NullMarked
package io.varve.coordinator.rest.remotestore;

import org.jspecify.annotations.NullMarked;
