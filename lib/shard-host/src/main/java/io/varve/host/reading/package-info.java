/** Proofs from the log that a copy is as fresh as a read requires. */
@NullMarked
package io.varve.host.reading;

import org.jspecify.annotations.NullMarked;
