/** Searches on the copies of a node: readers that are kept open, what runs, what is remembered. */
@NullMarked
package io.varve.host.search;

import org.jspecify.annotations.NullMarked;
