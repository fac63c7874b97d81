/** The audit log of a process: a bounded queue of events, written to a topic for auditors. */
@NullMarked
package io.varve.http.audit;

import org.jspecify.annotations.NullMarked;
