/** Which copy of a shard answers a search, and when a second one is asked. */
@NullMarked
package io.varve.selection;

import org.jspecify.annotations.NullMarked;
