/** The hits of an answer: as a shard returns them, their order, and how they are written. */
@NullMarked
package io.varve.search.hits;

import org.jspecify.annotations.NullMarked;
