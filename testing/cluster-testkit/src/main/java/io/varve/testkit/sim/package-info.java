/** The deterministic simulator of replication: one seed, one thread, one history. */
@NullMarked
package io.varve.testkit.sim;

import org.jspecify.annotations.NullMarked;
