/** Tests of OpenSearch's typed Java client, one for each call that Varve supports. */
@NullMarked
package io.varve.clients.java;

import org.jspecify.annotations.NullMarked;
