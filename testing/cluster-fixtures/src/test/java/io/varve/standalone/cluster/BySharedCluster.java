package io.varve.standalone.cluster;

import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.Extension;

/**
 * Orders test classes so that each shared cluster is started once and stopped when no other test
 * needs it. The order is: tests without a shared cluster, tests that use {@link ServicesInOneJvm},
 * tests that use both clusters, tests that use {@link RunningCluster}.
 */
public final class BySharedCluster implements ClassOrderer {

  @Override
  public void orderClasses(ClassOrdererContext context) {
    context
        .getClassDescriptors()
        .sort(
            Comparator.comparingInt(BySharedCluster::rank)
                .thenComparing(descriptor -> descriptor.getTestClass().getName()));
  }

  private static int rank(ClassDescriptor descriptor) {
    Class<?> test = descriptor.getTestClass();
    boolean services = uses(test, ServicesInOneJvm.Shared.class);
    if (uses(test, RunningCluster.Shared.class)) {
      return services ? 2 : 3;
    }
    return services ? 1 : 0;
  }

  static boolean uses(Class<?> test, Class<? extends Extension> shared) {
    return Arrays.stream(test.getAnnotationsByType(ExtendWith.class))
        .flatMap(extended -> Arrays.stream(extended.value()))
        .anyMatch(shared::equals);
  }
}
