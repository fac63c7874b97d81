/** Slow logs: which operations took longer than their index's settings allow. */
@NullMarked
package io.varve.engine.slowlog;

import org.jspecify.annotations.NullMarked;
