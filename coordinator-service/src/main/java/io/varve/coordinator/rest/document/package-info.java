/** Documents: single and bulk writes, reads by id. */
@NullMarked
package io.varve.coordinator.rest.document;

import org.jspecify.annotations.NullMarked;
