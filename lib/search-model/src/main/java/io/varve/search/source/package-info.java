/** Selection of the fields of a document's source that are returned. */
@NullMarked
package io.varve.search.source;

import org.jspecify.annotations.NullMarked;
