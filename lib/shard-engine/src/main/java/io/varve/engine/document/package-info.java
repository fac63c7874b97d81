/** Parsing of documents into Lucene fields in one pass. */
@NullMarked
package io.varve.engine.document;

import org.jspecify.annotations.NullMarked;
