/** Endpoints of the segment store: statistics, contents, restoring, garbage. */
@NullMarked
package io.varve.coordinator.rest.remotestore;

import org.jspecify.annotations.NullMarked;
