/** Slow logs of operations that took longer than the thresholds in their index's settings. */
@NullMarked
package io.varve.engine.slowlog;

import org.jspecify.annotations.NullMarked;
