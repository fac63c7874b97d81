/** The tests as they are written: files, sections and steps. */
@NullMarked
package io.varve.conformance.suite;

import org.jspecify.annotations.NullMarked;
