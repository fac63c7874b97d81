/** A real Kafka broker inside the JVM, for tests and for a single machine. */
@NullMarked
package io.varve.kafka;

import org.jspecify.annotations.NullMarked;
