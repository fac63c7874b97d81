/** The service that clients talk to: routes requests, merges answers and leads the cluster. */
@NullMarked
package io.varve.coordinator;

import org.jspecify.annotations.NullMarked;
