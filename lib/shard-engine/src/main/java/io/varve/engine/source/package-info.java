/** Derived sources: not stored but rebuilt byte for byte from the document's other values. */
@NullMarked
package io.varve.engine.source;

import org.jspecify.annotations.NullMarked;
