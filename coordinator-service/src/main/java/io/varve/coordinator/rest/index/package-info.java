/** Indices: creating, describing, changing and refreshing them, and their statistics. */
@NullMarked
package io.varve.coordinator.rest.index;

import org.jspecify.annotations.NullMarked;
