package io.varve.search.aggregation;

import io.varve.search.aggregation.rounding.CalendarUnit;

/** The width of a date histogram's buckets. */
public sealed interface Interval {

  /** As long as the calendar has it: a month is 28 to 31 days, a day of a time change 23 hours. */
  record Calendar(CalendarUnit unit) implements Interval {}

  record Fixed(long millis) implements Interval {}
}
