/** Runs OpenSearch's own REST tests against a server and reports which passed. */
@NullMarked
package io.varve.conformance;

import org.jspecify.annotations.NullMarked;
