/** What a copy proves of itself before it answers a read that asks for a proof. */
@NullMarked
package io.varve.host.reading;

import org.jspecify.annotations.NullMarked;
