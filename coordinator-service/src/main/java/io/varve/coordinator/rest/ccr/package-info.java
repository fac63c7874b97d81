/** Endpoints that follow indices of other clusters and report progress. */
@NullMarked
package io.varve.coordinator.rest.ccr;

import org.jspecify.annotations.NullMarked;
