/** What the services say to each other over HTTP, and the one form that every failure has. */
@NullMarked
package io.varve.rpc;

import org.jspecify.annotations.NullMarked;
