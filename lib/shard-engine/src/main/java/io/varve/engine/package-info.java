/** One copy of a shard on Lucene: it applies operations, shows them to searches and is copied. */
@NullMarked
package io.varve.engine;

import org.jspecify.annotations.NullMarked;
