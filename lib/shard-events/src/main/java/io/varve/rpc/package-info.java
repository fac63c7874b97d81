/** Messages between the services over HTTP, and the common form of failures. */
@NullMarked
package io.varve.rpc;

import org.jspecify.annotations.NullMarked;
