/** The demo: indexes a corpus that every checkout contains and prints a report. */
@NullMarked
package io.varve.standalone.demo;

import org.jspecify.annotations.NullMarked;
