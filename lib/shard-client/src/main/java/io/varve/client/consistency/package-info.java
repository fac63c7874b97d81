/** Reads that show at least what a client has written or asks for. */
@NullMarked
package io.varve.client.consistency;

import org.jspecify.annotations.NullMarked;
