/** Deleting, updating and copying what a search finds. */
@NullMarked
package io.varve.coordinator.rest.byquery;

import org.jspecify.annotations.NullMarked;
