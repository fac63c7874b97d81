/** The Lucene representation of mapped fields, shared by indexing and searching. */
@NullMarked
package io.varve.engine.fields;

import org.jspecify.annotations.NullMarked;
