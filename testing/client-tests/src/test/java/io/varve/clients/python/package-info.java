/** The Python client of OpenSearch, in tests of its own language. */
@NullMarked
package io.varve.clients.python;

import org.jspecify.annotations.NullMarked;
