/** Draws the results of measurements as SVG pictures. */
@NullMarked
package io.varve.load.plot;

import org.jspecify.annotations.NullMarked;
