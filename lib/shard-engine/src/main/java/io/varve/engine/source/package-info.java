/** Sources that are not stored but put together from the document's other values, to the byte. */
@NullMarked
package io.varve.engine.source;

import org.jspecify.annotations.NullMarked;
