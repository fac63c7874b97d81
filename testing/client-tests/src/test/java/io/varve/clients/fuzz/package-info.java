/** Fuzzing: thousands of malformed and hostile requests, and checks of their responses. */
@NullMarked
package io.varve.clients.fuzz;

import org.jspecify.annotations.NullMarked;
