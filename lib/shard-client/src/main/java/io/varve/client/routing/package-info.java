/** Selects the copy that answers a search, and races a second one when that is worthwhile. */
@NullMarked
package io.varve.client.routing;

import org.jspecify.annotations.NullMarked;
