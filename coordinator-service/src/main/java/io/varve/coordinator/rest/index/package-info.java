/** Creates, describes, changes and refreshes indices, and reports their statistics. */
@NullMarked
package io.varve.coordinator.rest.index;

import org.jspecify.annotations.NullMarked;
