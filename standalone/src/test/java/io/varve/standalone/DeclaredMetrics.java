package io.varve.standalone;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.varve.metrics.Metric;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The metrics that the services export: the static fields of type {@link Metric}. */
final class DeclaredMetrics {

  private DeclaredMetrics() {}

  /**
   * The metrics by the simple name of the class that registers them, in the order of its fields.
   */
  static Map<String, List<Metric>> byClass() {
    Map<String, List<Metric>> metrics = new TreeMap<>();
    for (JavaClass type : MainClasses.imported()) {
      for (JavaField field : type.getFields()) {
        if (field.getModifiers().contains(JavaModifier.STATIC)
            && field.getRawType().getFullName().equals(Metric.class.getName())) {
          metrics.computeIfAbsent(type.getSimpleName(), _ -> of(type.getFullName()));
        }
      }
    }
    return metrics;
  }

  static List<Metric> all() {
    return byClass().values().stream().flatMap(List::stream).toList();
  }

  private static List<Metric> of(String className) {
    try {
      List<Metric> metrics = new ArrayList<>();
      for (Field field : Class.forName(className).getDeclaredFields()) {
        if (field.getType().equals(Metric.class) && Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          metrics.add((Metric) field.get(null));
        }
      }
      return metrics;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(className, e);
    }
  }
}
