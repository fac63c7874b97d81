/** Following indices of other clusters: beginning, and telling how far it is. */
@NullMarked
package io.varve.coordinator.rest.ccr;

import org.jspecify.annotations.NullMarked;
