/** The OpenAPI document of the REST dialect, made from what the endpoints read. */
@NullMarked
package io.varve.coordinator.rest.openapi;

import org.jspecify.annotations.NullMarked;
