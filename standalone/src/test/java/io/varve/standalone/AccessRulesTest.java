package io.varve.standalone;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.varve.cluster.ClusterState;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * No endpoint gets around the rights of its user: names become indices where {@code Access} is
 * asked, changes go through {@code ClusterAccess}, and threads are started by classes that carry
 * the rights.
 */
@AnalyzeClasses(packages = "io.varve.coordinator", importOptions = MainClasses.OutsideOfTests.class)
class AccessRulesTest {

  /**
   * Classes that read indices of the cluster state themselves. Add one only if it asks {@code
   * Access}, if the index is named in the path of its route (which {@code AccessGuard} checks), if
   * its route requires an action on the cluster as a whole, or if the index was resolved before.
   */
  private static final Set<String> READERS =
      Set.of(
          // They ask Access.
          "IndexResolver",
          "IndexExpansion",
          "DocumentTargets",
          "PinnedTargets",
          // The index is in the path.
          "FailbackEndpoint",
          "FollowEndpoint",
          "FollowLifecycle",
          "ForgetFollowerEndpoint",
          "ReplicationLifecycleEndpoint",
          "ReplicationStatusEndpoint",
          "ResolveIndexEndpoint",
          "RolloverEndpoint",
          "ScaleEndpoint",
          "SkipOperationEndpoint",
          // The action is one on the cluster.
          "AllocationExplanation",
          "AllocationTable",
          "ClusterStatsEndpoint",
          "ClusterTables",
          "CopyQuestion",
          "FielddataTable",
          "NodeTable",
          "NodesStatsEndpoint",
          "ReplicationStats",
          "ReplicationStatsEndpoint",
          "RerouteEndpoint",
          "RestoreEndpoint",
          "UnassignedTimes",
          // The index was resolved before.
          "ActiveShardWait",
          "ContextNodes",
          "FollowStats",
          "HitStates",
          "ReviveEndpoint",
          "Sessions",
          "ShardWalk",
          "Visibility",
          "WritePlace");

  private static final DescribedPredicate<JavaClass> NOT_LISTED =
      DescribedPredicate.describe(
          "are not listed as readers of indices",
          type -> !READERS.contains(outermost(type).getSimpleName()));

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(AccessRulesTest::outermost).orElse(type);
  }

  @ArchTest
  static final ArchRule NAMES_BECOME_INDICES_IN_KNOWN_PLACES =
      noClasses()
          .that()
          .resideInAPackage("io.varve.coordinator.rest..")
          .and(NOT_LISTED)
          .should()
          .callMethod(ClusterState.class, "indices")
          .orShould()
          .callMethod(ClusterState.class, "index", String.class);

  @ArchTest
  static final ArchRule CHANGES_GO_THROUGH_CLUSTER_ACCESS =
      noClasses()
          .that()
          .resideInAPackage("io.varve.coordinator.rest..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.varve.coordinator.cluster..");

  @ArchTest
  static final ArchRule THREADS_CARRY_THE_RIGHTS_OF_THE_REQUEST =
      noClasses()
          .that()
          .resideInAPackage("io.varve.coordinator.rest..")
          .and()
          .doNotHaveSimpleName("Tasks")
          .should()
          .callMethodWhere(
              DescribedPredicate.describe(
                  "starts a thread",
                  call ->
                      call.getTargetOwner().isEquivalentTo(Executors.class)
                          || (call.getTargetOwner().isEquivalentTo(Thread.class)
                              && Set.of("ofVirtual", "ofPlatform", "startVirtualThread", "start")
                                  .contains(call.getName()))
                          || (call.getTargetOwner().isAssignableTo(Executor.class)
                              && Set.of("execute", "submit", "invokeAll")
                                  .contains(call.getName()))));
}
