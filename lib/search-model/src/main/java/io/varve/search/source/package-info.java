/** Which parts of a document's source an answer shows. */
@NullMarked
package io.varve.search.source;

import org.jspecify.annotations.NullMarked;
