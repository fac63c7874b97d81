/** Process guard: ends a process after fatal errors and monitors its essential threads. */
@NullMarked
package io.varve.process;

import org.jspecify.annotations.NullMarked;
