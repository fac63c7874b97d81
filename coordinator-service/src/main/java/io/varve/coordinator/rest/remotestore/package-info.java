/** What clients ask of the segment store: what it holds, and to begin with that. */
@NullMarked
package io.varve.coordinator.rest.remotestore;

import org.jspecify.annotations.NullMarked;
