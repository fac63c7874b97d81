/** Attribution of a server's CPU time to the stages of its work. */
@NullMarked
package io.varve.load.budget;

import org.jspecify.annotations.NullMarked;
