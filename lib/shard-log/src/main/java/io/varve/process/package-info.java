/** What every process needs: its guard against fatal errors, clocks, and secrets in files. */
@NullMarked
package io.varve.process;

import org.jspecify.annotations.NullMarked;
