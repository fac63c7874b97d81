/** The message log on Kafka. */
@NullMarked
package io.varve.log.kafka;

import org.jspecify.annotations.NullMarked;
