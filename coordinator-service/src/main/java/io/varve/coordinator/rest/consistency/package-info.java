/** Promises of reads and session tokens as requests and answers carry them. */
@NullMarked
package io.varve.coordinator.rest.consistency;

import org.jspecify.annotations.NullMarked;
