/** What this coordinator does for its clients, as tasks that can be seen, awaited and cancelled. */
@NullMarked
package io.varve.coordinator.rest.task;

import org.jspecify.annotations.NullMarked;
