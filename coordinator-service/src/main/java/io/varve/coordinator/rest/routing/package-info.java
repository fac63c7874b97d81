/** Which copies searches go to, what of it is measured, and what is spared a node that is ill. */
@NullMarked
package io.varve.coordinator.rest.routing;

import org.jspecify.annotations.NullMarked;
