/** The HTTP server of every service: its threads, its limits for clients, and its counters. */
@NullMarked
package io.varve.http;

import org.jspecify.annotations.NullMarked;
