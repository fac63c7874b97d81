/** The tests as written: files, sections, steps. */
@NullMarked
package io.varve.conformance.suite;

import org.jspecify.annotations.NullMarked;
