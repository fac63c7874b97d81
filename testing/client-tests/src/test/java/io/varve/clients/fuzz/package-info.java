/** Requests that nobody should send, by the thousand, and what comes back. */
@NullMarked
package io.varve.clients.fuzz;

import org.jspecify.annotations.NullMarked;
