/** Tasks of this coordinator, which clients can list, await and cancel. */
@NullMarked
package io.varve.coordinator.rest.task;

import org.jspecify.annotations.NullMarked;
