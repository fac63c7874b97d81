/** How full the heap of this process is, and what is refused before it is too full. */
@NullMarked
package io.varve.memory;

import org.jspecify.annotations.NullMarked;
