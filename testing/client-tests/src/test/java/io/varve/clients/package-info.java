/** Tests of a running Varve with the clients that users have. */
@NullMarked
package io.varve.clients;

import org.jspecify.annotations.NullMarked;
