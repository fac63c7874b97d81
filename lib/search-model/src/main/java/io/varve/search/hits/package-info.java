/** The hits of a response: the form in which shards return them, their order, and their JSON. */
@NullMarked
package io.varve.search.hits;

import org.jspecify.annotations.NullMarked;
