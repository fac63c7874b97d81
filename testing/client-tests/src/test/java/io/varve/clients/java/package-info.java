/** The typed Java client of OpenSearch, one test for each call that it offers and Varve serves. */
@NullMarked
package io.varve.clients.java;

import org.jspecify.annotations.NullMarked;
