/** The specification of each endpoint, and the construction of requests from calls. */
@NullMarked
package io.varve.conformance.spec;

import org.jspecify.annotations.NullMarked;
