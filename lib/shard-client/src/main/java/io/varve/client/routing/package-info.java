/** Chooses the copy that answers a search, and races a second one where that pays. */
@NullMarked
package io.varve.client.routing;

import org.jspecify.annotations.NullMarked;
