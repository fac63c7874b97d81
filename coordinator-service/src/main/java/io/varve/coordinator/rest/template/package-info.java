/** Endpoints of legacy, composable and component templates. */
@NullMarked
package io.varve.coordinator.rest.template;

import org.jspecify.annotations.NullMarked;
