/** Runs the steps of a test against a server and judges the answers. */
@NullMarked
package io.varve.conformance.run;

import org.jspecify.annotations.NullMarked;
