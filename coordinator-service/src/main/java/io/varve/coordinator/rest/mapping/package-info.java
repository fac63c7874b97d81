/** Endpoints about fields and text: field mappings, field capabilities, analysis. */
@NullMarked
package io.varve.coordinator.rest.mapping;

import org.jspecify.annotations.NullMarked;
