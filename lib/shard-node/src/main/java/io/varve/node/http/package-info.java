/** The node's internal endpoints, as raw servlets. */
@NullMarked
package io.varve.node.http;

import org.jspecify.annotations.NullMarked;
