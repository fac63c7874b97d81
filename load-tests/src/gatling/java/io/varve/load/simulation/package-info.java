/** Gatling simulations of clients of a running cluster. */
@NullMarked
package io.varve.load.simulation;

import org.jspecify.annotations.NullMarked;
