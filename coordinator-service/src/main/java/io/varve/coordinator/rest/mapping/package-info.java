/** Endpoints for field mappings, field capabilities and text analysis. */
@NullMarked
package io.varve.coordinator.rest.mapping;

import org.jspecify.annotations.NullMarked;
