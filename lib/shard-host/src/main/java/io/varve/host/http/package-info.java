/**
 * The internal HTTP endpoints of a node: their routes and filters, the endpoints of copies and of
 * snapshots, and the gate before reads.
 */
@NullMarked
package io.varve.host.http;

import org.jspecify.annotations.NullMarked;
