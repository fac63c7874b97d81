package io.varve.coordinator.rest;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.ValueException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Resolves date math in names: {@code <logs-{now/d{yyyy.MM.dd|+09:00}}>}.
 *
 * <p>Between angle brackets, each pair of braces contains date math, optionally followed by an
 * inner pair of braces with a format and a time zone; {@code uuuu.MM.dd} and UTC are the defaults.
 * Outside of the math, a backslash before a brace makes the brace part of the name.
 */
public final class DateMathName {

  private static final String DEFAULT_FORMAT = "uuuu.MM.dd";

  private final String expression;
  private final long nowMillis;
  private final StringBuilder name = new StringBuilder();
  private final StringBuilder math = new StringBuilder();
  private boolean inMath;
  private boolean inFormat;
  private boolean escaped;

  private DateMathName(String expression, long nowMillis) {
    this.expression = expression;
    this.nowMillis = nowMillis;
  }

  /** Resolves the expression at that time; text without angle brackets is returned unchanged. */
  public static String resolve(String expression, long nowMillis) {
    return expression.length() > 2 && expression.startsWith("<") && expression.endsWith(">")
        ? new DateMathName(expression, nowMillis).read()
        : expression;
  }

  /** Resolves the expression at the current time. */
  public static String resolve(String expression) {
    return resolve(expression, System.currentTimeMillis());
  }

  private String read() {
    for (char c : expression.substring(1, expression.length() - 1).toCharArray()) {
      if (escaped) {
        (inMath ? math : name).append(c);
        escaped = false;
      } else if (c == '\\') {
        escaped = true;
      } else if (inMath) {
        readMath(c);
      } else if (c == '{') {
        inMath = true;
      } else if (c == '}') {
        throw refused(
            "invalid dynamic name expression ["
                + expression
                + "]. invalid character at position ["
                + name.length()
                + "]. `{` and `}` are reserved characters and should be escaped when used as part"
                + " of the index name using `\\` (e.g. `\\{text\\}`)");
      } else {
        name.append(c);
      }
    }
    if (inMath) {
      throw refused(
          "invalid dynamic name expression ["
              + expression
              + "]. date math placeholder is open ended");
    }
    if (name.isEmpty()) {
      throw refused("nothing captured");
    }
    return name.toString();
  }

  private void readMath(char c) {
    switch (c) {
      case '{' -> {
        if (inFormat) {
          throw refused(
              "invalid dynamic name expression ["
                  + expression
                  + "]. invalid character in placeholder at position ["
                  + math.length()
                  + "]");
        }
        inFormat = true;
        math.append(c);
      }
      case '}' -> {
        if (inFormat) {
          inFormat = false;
          math.append(c);
        } else {
          inMath = false;
          name.append(date(math.toString()));
          math.setLength(0);
        }
      }
      default -> math.append(c);
    }
  }

  private String date(String placeholder) {
    int brace = placeholder.indexOf('{');
    String text = brace < 0 ? placeholder : placeholder.substring(0, brace);
    String format = DEFAULT_FORMAT;
    ZoneId zone = ZoneOffset.UTC;
    if (brace >= 0) {
      if (!placeholder.endsWith("}")) {
        throw refused(
            "invalid dynamic name expression ["
                + expression
                + "]. missing closing `}` for date math format");
      }
      if (brace == placeholder.length() - 2) {
        throw refused("invalid dynamic name expression [" + expression + "]. missing date format");
      }
      format = placeholder.substring(brace + 1, placeholder.length() - 1);
      int bar = format.indexOf('|');
      if (bar >= 0) {
        zone = zone(format.substring(bar + 1));
        format = format.substring(0, bar);
      }
    }
    return printed(text, format, zone);
  }

  private ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw refused(e.getMessage());
    }
  }

  private String printed(String text, String format, ZoneId zone) {
    try {
      long millis = new DateMath(DateFormat.DEFAULT, nowMillis, zone).millis(text, false);
      return DateTimeFormatter.ofPattern(format, Locale.ROOT)
          .withZone(zone)
          .format(Instant.ofEpochMilli(millis));
    } catch (ValueException | IllegalArgumentException | DateTimeException e) {
      throw refused(e.getMessage());
    }
  }

  private static ApiException refused(@Nullable String reason) {
    return new ApiException(ErrorBody.of(400, "parse_exception", String.valueOf(reason)));
  }
}
