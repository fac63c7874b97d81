/** What the suite says of each endpoint, and the request that a call becomes. */
@NullMarked
package io.varve.conformance.spec;

import org.jspecify.annotations.NullMarked;
