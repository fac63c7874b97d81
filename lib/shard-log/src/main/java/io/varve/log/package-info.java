/** The log of a shard on Kafka: fenced appends, ordered reads. */
@NullMarked
package io.varve.log;

import org.jspecify.annotations.NullMarked;
