/** Gatling simulations that send the load of several kinds of clients to a running cluster. */
@NullMarked
package io.varve.load.simulation;

import org.jspecify.annotations.NullMarked;
