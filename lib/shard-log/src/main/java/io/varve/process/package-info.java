/** What every process needs: its fatal-error guard, clocks, shared runs and secrets in files. */
@NullMarked
package io.varve.process;

import org.jspecify.annotations.NullMarked;
