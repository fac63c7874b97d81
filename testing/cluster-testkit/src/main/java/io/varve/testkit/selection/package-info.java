/** Simulated searches over simulated nodes: which choice of copies serves them best. */
@NullMarked
package io.varve.testkit.selection;

import org.jspecify.annotations.NullMarked;
