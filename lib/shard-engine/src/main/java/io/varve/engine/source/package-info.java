/**
 * Derived sources, which are not stored but rebuilt byte for byte from the document's doc values.
 */
@NullMarked
package io.varve.engine.source;

import org.jspecify.annotations.NullMarked;
