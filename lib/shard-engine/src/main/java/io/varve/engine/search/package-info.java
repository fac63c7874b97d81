/** Executes searches on one shard's Lucene index. */
@NullMarked
package io.varve.engine.search;

import org.jspecify.annotations.NullMarked;
