/** Clients of a running cluster, as Gatling simulates them. */
@NullMarked
package io.varve.load.simulation;

import org.jspecify.annotations.NullMarked;
