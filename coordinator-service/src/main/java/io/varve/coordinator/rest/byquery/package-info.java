/** Deletes, updates and copies the hits of a search. */
@NullMarked
package io.varve.coordinator.rest.byquery;

import org.jspecify.annotations.NullMarked;
