/** Documents: writing them one by one or in bulk, and reading them by id. */
@NullMarked
package io.varve.coordinator.rest.document;

import org.jspecify.annotations.NullMarked;
