/**
 * Simulation of searches over nodes of varying health, to compare strategies of replica selection.
 */
@NullMarked
package io.varve.testkit.selection;

import org.jspecify.annotations.NullMarked;
