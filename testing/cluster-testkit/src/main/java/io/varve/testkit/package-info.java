/** Simulated clusters for tests. */
@NullMarked
package io.varve.testkit;

import org.jspecify.annotations.NullMarked;
