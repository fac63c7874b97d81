/** Tests of a running Varve through its clients. */
@NullMarked
package io.varve.clients;

import org.jspecify.annotations.NullMarked;
