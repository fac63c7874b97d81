/** Templates of indices: legacy, composable and component ones, and what they come to. */
@NullMarked
package io.varve.coordinator.rest.template;

import org.jspecify.annotations.NullMarked;
