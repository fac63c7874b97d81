/**
 * What every process needs: its guard against fatal errors, clocks, secrets in files, and ways to
 * run tasks.
 */
@NullMarked
package io.varve.process;

import org.jspecify.annotations.NullMarked;
