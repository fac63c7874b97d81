/** From the bytes of a document to Lucene's fields, in one pass. */
@NullMarked
package io.varve.engine.document;

import org.jspecify.annotations.NullMarked;
