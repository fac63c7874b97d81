/** Applying accepted operations to an engine: lanes, the applied checkpoint, origins. */
@NullMarked
package io.varve.node.apply;

import org.jspecify.annotations.NullMarked;
