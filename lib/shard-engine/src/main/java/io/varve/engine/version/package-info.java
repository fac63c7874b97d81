/** Which version of a document is the newest, and what a write makes of it. */
@NullMarked
package io.varve.engine.version;

import org.jspecify.annotations.NullMarked;
