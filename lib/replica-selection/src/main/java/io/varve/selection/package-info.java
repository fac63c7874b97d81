/** Selection of the copy of a shard that answers a search, and of a second one when needed. */
@NullMarked
package io.varve.selection;

import org.jspecify.annotations.NullMarked;
