/** Runs the tests with OpenSearch's Python client, which are written in Python. */
@NullMarked
package io.varve.clients.python;

import org.jspecify.annotations.NullMarked;
