/**
 * How a process ends that can't go on, and what keeps the threads alive that it can't do without.
 */
@NullMarked
package io.varve.process;

import org.jspecify.annotations.NullMarked;
