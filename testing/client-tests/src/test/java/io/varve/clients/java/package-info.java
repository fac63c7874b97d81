/** Tests with OpenSearch's typed Java client, at least one for each call that Varve supports. */
@NullMarked
package io.varve.clients.java;

import org.jspecify.annotations.NullMarked;
