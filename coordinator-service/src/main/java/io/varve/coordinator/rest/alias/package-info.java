/** Aliases: second names of indices, put, shown and taken away. */
@NullMarked
package io.varve.coordinator.rest.alias;

import org.jspecify.annotations.NullMarked;
