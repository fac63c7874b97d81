/** A running Varve as clients see it. */
@NullMarked
package io.varve.clients;

import org.jspecify.annotations.NullMarked;
