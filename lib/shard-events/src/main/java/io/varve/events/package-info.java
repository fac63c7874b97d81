/** The events of a shard: the facts that its log carries, and their encoding. */
@NullMarked
package io.varve.events;

import org.jspecify.annotations.NullMarked;
