/** Single and bulk writes of documents, and reads by id. */
@NullMarked
package io.varve.coordinator.rest.document;

import org.jspecify.annotations.NullMarked;
