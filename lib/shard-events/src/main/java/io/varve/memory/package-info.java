/** Heap usage of this process, and the parent circuit breaker. */
@NullMarked
package io.varve.memory;

import org.jspecify.annotations.NullMarked;
