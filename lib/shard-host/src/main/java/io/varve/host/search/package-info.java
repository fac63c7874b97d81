/** Searches on the copies of a node: open readers, running searches, caches. */
@NullMarked
package io.varve.host.search;

import org.jspecify.annotations.NullMarked;
