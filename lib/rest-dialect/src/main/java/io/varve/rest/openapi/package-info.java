/** Describes the endpoints of a server as an OpenAPI document. */
@NullMarked
package io.varve.rest.openapi;

import org.jspecify.annotations.NullMarked;
