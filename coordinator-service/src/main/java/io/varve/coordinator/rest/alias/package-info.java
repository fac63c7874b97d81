/** Endpoints that add, remove and show aliases. */
@NullMarked
package io.varve.coordinator.rest.alias;

import org.jspecify.annotations.NullMarked;
