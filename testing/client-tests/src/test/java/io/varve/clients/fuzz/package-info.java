/** Fuzzing: sends thousands of malformed and hostile requests, and checks the responses. */
@NullMarked
package io.varve.clients.fuzz;

import org.jspecify.annotations.NullMarked;
