/** The accepted operations of an index, for listeners of spring-kafka. */
@NullMarked
package io.varve.changes;

import org.jspecify.annotations.NullMarked;
