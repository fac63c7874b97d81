/** The engine of a shard: applies events to a Lucene index and searches it. */
@NullMarked
package io.varve.engine;

import org.jspecify.annotations.NullMarked;
