/** What the user of a request may do: the action of each route, and the check of index names. */
@NullMarked
package io.varve.coordinator.access;

import org.jspecify.annotations.NullMarked;
