/** Runs the steps of a test against a server and checks the responses. */
@NullMarked
package io.varve.conformance.run;

import org.jspecify.annotations.NullMarked;
