/** {@code varve tail}: prints the changes of an index. */
@NullMarked
package io.varve.standalone.tail;

import org.jspecify.annotations.NullMarked;
