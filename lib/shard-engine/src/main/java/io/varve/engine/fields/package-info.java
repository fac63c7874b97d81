/** How the values of mapped fields stand in Lucene: one place for writing and for searching. */
@NullMarked
package io.varve.engine.fields;

import org.jspecify.annotations.NullMarked;
