/**
 * Copies of a shard, based on Lucene: they apply operations, make them visible to searches, and
 * provide their files to other copies.
 */
@NullMarked
package io.varve.engine;

import org.jspecify.annotations.NullMarked;
