/** What the endpoints share: access to the cluster, and the indices and nodes that names mean. */
@NullMarked
package io.varve.coordinator.rest;

import org.jspecify.annotations.NullMarked;
