/** The segment store on an S3 API. */
@NullMarked
package io.varve.store.s3;

import org.jspecify.annotations.NullMarked;
