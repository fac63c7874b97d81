/** Applying accepted operations to an engine: lanes, the applied checkpoint, origins. */
@NullMarked
package io.varve.host.apply;

import org.jspecify.annotations.NullMarked;
