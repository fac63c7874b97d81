/** The {@code _cat} tables, for people and scripts. */
@NullMarked
package io.varve.coordinator.rest.cat;

import org.jspecify.annotations.NullMarked;
