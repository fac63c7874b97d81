/** Reads that show at least what a client's session or its request demands. */
@NullMarked
package io.varve.client.consistency;

import org.jspecify.annotations.NullMarked;
