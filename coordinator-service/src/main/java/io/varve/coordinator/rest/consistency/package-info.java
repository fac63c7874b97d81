/** Read promises and session tokens in requests and responses. */
@NullMarked
package io.varve.coordinator.rest.consistency;

import org.jspecify.annotations.NullMarked;
