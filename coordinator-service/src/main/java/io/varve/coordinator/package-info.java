/** The service that clients talk to: routes, merges, and governs the cluster. */
@NullMarked
package io.varve.coordinator;

import org.jspecify.annotations.NullMarked;
