/**
 * A copy of a shard on Lucene: applies operations, makes them visible to searches, and provides its
 * files to other copies.
 */
@NullMarked
package io.varve.engine;

import org.jspecify.annotations.NullMarked;
