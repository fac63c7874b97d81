/** Exported metrics: their names, labels and help, and rows that come and go. */
@NullMarked
package io.varve.metrics;

import org.jspecify.annotations.NullMarked;
