/**
 * The internal HTTP endpoints of a node, as raw servlets: what copies answer, from where segments
 * are copied, and the gate before reads.
 */
@NullMarked
package io.varve.host.http;

import org.jspecify.annotations.NullMarked;
