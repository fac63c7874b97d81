/** Indices: creating, describing, changing, refreshing and measuring them. */
@NullMarked
package io.varve.coordinator.rest.index;

import org.jspecify.annotations.NullMarked;
