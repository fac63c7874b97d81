/** Runs OpenSearch's own REST tests against a server and reports which of them pass. */
@NullMarked
package io.varve.conformance;

import org.jspecify.annotations.NullMarked;
