/** Decides commands on the state of the cluster: each becomes events or a refusal. */
@NullMarked
package io.varve.control.command;

import org.jspecify.annotations.NullMarked;
