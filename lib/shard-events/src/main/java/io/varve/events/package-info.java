/** The events of a shard, as recorded in its log, and their encoding. */
@NullMarked
package io.varve.events;

import org.jspecify.annotations.NullMarked;
