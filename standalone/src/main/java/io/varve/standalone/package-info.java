/** Varve on one machine: all services and a broker, started together. */
@NullMarked
package io.varve.standalone;

import org.jspecify.annotations.NullMarked;
