/** {@code varve status}: the state of a running Varve as a table for people, or as JSON. */
@NullMarked
package io.varve.standalone.status;

import org.jspecify.annotations.NullMarked;
