/** Which fields of a document's source are returned. */
@NullMarked
package io.varve.search.source;

import org.jspecify.annotations.NullMarked;
