/** Worlds for tests: whole clusters, simulated or local, under one roof. */
@NullMarked
package io.varve.testkit;

import org.jspecify.annotations.NullMarked;
