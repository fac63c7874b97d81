/** What an aggregation asks for: the tree of a request, before any mapping is known. */
@NullMarked
package io.varve.search.aggregation;

import org.jspecify.annotations.NullMarked;
