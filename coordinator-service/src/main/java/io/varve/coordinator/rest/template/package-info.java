/** Endpoints of templates: legacy, composable and component. */
@NullMarked
package io.varve.coordinator.rest.template;

import org.jspecify.annotations.NullMarked;
