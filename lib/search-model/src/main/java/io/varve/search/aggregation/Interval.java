package io.varve.search.aggregation;

import io.varve.search.aggregation.rounding.CalendarUnit;

/** The width of the buckets of a date histogram. */
public sealed interface Interval {

  /** Width by the calendar: a month is 28 to 31 days, a day with a clock change 23 or 25 hours. */
  record Calendar(CalendarUnit unit) implements Interval {}

  record Fixed(long millis) implements Interval {}
}
