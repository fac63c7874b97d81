/** Tracks the newest version of documents and resolves writes against it. */
@NullMarked
package io.varve.engine.version;

import org.jspecify.annotations.NullMarked;
