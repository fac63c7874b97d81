/** The HTTP server of every service: its threads, client limits and counters. */
@NullMarked
package io.varve.http;

import org.jspecify.annotations.NullMarked;
