package io.varve.standalone;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The allowed directions of dependencies between modules. A new dependency against them must be a
 * decision, not an accident.
 */
@AnalyzeClasses(packages = "io.varve", importOptions = MainClasses.OutsideOfTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule MODULES_DEPEND_DOWNWARDS =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("events")
          .definedBy(
              "io.varve.events..",
              "io.varve.rpc..",
              "io.varve.names..",
              "io.varve.memory..",
              "io.varve.text..")
          .layer("log")
          .definedBy("io.varve.log..")
          .layer("process")
          .definedBy("io.varve.process..")
          .layer("cluster")
          .definedBy("io.varve.cluster..")
          .layer("security")
          .definedBy("io.varve.security..")
          .layer("tls")
          .definedBy("io.varve.tls..")
          .layer("control")
          .definedBy("io.varve.control..")
          .layer("http")
          .definedBy("io.varve.http..")
          .layer("rest")
          .definedBy("io.varve.rest..")
          .layer("selection")
          .definedBy("io.varve.selection..")
          .layer("client")
          .definedBy("io.varve.client..")
          .layer("store")
          .definedBy("io.varve.store..")
          .layer("analysis")
          .definedBy("io.varve.analysis..")
          .layer("codec")
          .definedBy("io.varve.codec..")
          .layer("search")
          .definedBy("io.varve.search..")
          .layer("engine")
          .definedBy("io.varve.engine..")
          .layer("host")
          .definedBy("io.varve.host..")
          .layer("metrics")
          .definedBy("io.varve.metrics..")
          .layer("coordinator")
          .definedBy("io.varve.coordinator..")
          .layer("shard")
          .definedBy("io.varve.shard..")
          .layer("replication")
          .definedBy("io.varve.replication..")
          .layer("ccr")
          .definedBy("io.varve.ccr..")
          .layer("kafka")
          .definedBy("io.varve.kafka..")
          .layer("testkit")
          .definedBy("io.varve.testkit..")
          .layer("changes")
          .definedBy("io.varve.changes..")
          .layer("standalone")
          .definedBy("io.varve.standalone..")
          .whereLayer("standalone")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("testkit")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("changes")
          .mayOnlyBeAccessedByLayers("standalone")
          .whereLayer("coordinator")
          .mayOnlyBeAccessedByLayers("standalone")
          .whereLayer("shard")
          .mayOnlyBeAccessedByLayers("standalone", "testkit")
          .whereLayer("replication")
          .mayOnlyBeAccessedByLayers("standalone")
          .whereLayer("ccr")
          .mayOnlyBeAccessedByLayers("standalone", "testkit")
          .whereLayer("kafka")
          .mayOnlyBeAccessedByLayers("standalone")
          .whereLayer("host")
          .mayOnlyBeAccessedByLayers("shard", "replication", "ccr", "testkit")
          .whereLayer("engine")
          .mayOnlyBeAccessedByLayers("host", "shard", "replication", "testkit")
          .whereLayer("store")
          .mayOnlyBeAccessedByLayers("host", "shard", "replication", "testkit")
          .whereLayer("codec")
          .mayOnlyBeAccessedByLayers("engine", "host")
          .whereLayer("search")
          .mayOnlyBeAccessedByLayers("client", "control", "engine", "host", "coordinator")
          .whereLayer("analysis")
          .mayOnlyBeAccessedByLayers("search", "engine", "coordinator")
          .whereLayer("selection")
          .mayOnlyBeAccessedByLayers("host", "client", "coordinator", "testkit")
          .whereLayer("cluster")
          .mayOnlyBeAccessedByLayers(
              "control",
              "http",
              "client",
              "host",
              "coordinator",
              "ccr",
              "shard",
              "replication",
              "changes",
              "testkit",
              "standalone")
          .whereLayer("security")
          .mayOnlyBeAccessedByLayers("coordinator")
          .whereLayer("tls")
          .mayOnlyBeAccessedByLayers("http", "standalone")
          .whereLayer("control")
          .mayOnlyBeAccessedByLayers("coordinator", "testkit")
          .whereLayer("client")
          .mayOnlyBeAccessedByLayers("coordinator", "testkit")
          .whereLayer("rest")
          .mayOnlyBeAccessedByLayers("coordinator")
          .whereLayer("http")
          .mayOnlyBeAccessedByLayers("rest", "host", "coordinator", "shard", "replication", "ccr")
          .whereLayer("metrics")
          .mayOnlyBeAccessedByLayers(
              "http", "rest", "client", "host", "coordinator", "shard", "replication", "ccr")
          .whereLayer("log")
          .mayOnlyBeAccessedByLayers(
              "http",
              "cluster",
              "control",
              "host",
              "coordinator",
              "shard",
              "replication",
              "ccr",
              "changes",
              "testkit",
              "standalone");

  private static final SliceAssignment EACH_PACKAGE =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
          return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
          return "packages";
        }
      };

  @ArchTest
  static final ArchRule PACKAGES_FORM_NO_CIRCLE =
      slices().assignedFrom(EACH_PACKAGE).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule THE_ENGINE_AND_THE_QUERY_MODEL_KNOW_NEITHER_LOG_NOR_CLOUD_NOR_SPRING =
      noClasses()
          .that()
          .resideInAnyPackage("io.varve.engine..", "io.varve.search..", "io.varve.store..")
          .and()
          .resideOutsideOfPackage("io.varve.store.s3..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka..", "software.amazon..", "org.springframework..");

  @ArchTest
  static final ArchRule DOMAIN_MODULES_KNOW_NO_SPRING =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.varve.events..",
              "io.varve.rpc..",
              "io.varve.names..",
              "io.varve.text..",
              "io.varve.memory..",
              "io.varve.log..",
              "io.varve.process..",
              "io.varve.cluster..",
              "io.varve.security..",
              "io.varve.tls..",
              "io.varve.control..",
              "io.varve.client..",
              "io.varve.selection..",
              "io.varve.analysis..",
              "io.varve.codec..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.springframework..");

  @ArchTest
  static final ArchRule THE_CHOICE_OF_A_COPY_IS_PURE_JAVA =
      noClasses()
          .that()
          .resideInAnyPackage("io.varve.selection..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages("io.varve.selection..", "java..", "org.jspecify..");

  /** Except for the library with which applications of users read an index's topic. */
  @ArchTest
  static final ArchRule ONLY_THE_LOGS_ADAPTER_KNOWS_KAFKA =
      noClasses()
          .that()
          .resideInAnyPackage("io.varve..")
          .and()
          .resideOutsideOfPackages("io.varve.log.kafka..", "io.varve.kafka..", "io.varve.changes..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka..", "org.springframework.kafka..");

  /** The order of the JDK's immutable sets and maps is another one in each JVM. */
  @ArchTest
  static final ArchRule COLLECTIONS_THAT_DECISIONS_READ_HAVE_A_DEFINED_ORDER =
      noClasses()
          .that()
          .resideInAnyPackage("io.varve.cluster..", "io.varve.control..")
          .should()
          .callMethod(Map.class, "copyOf", Map.class)
          .orShould()
          .callMethod(Set.class, "copyOf", Collection.class)
          .orShould()
          .callMethod(Collectors.class, "toUnmodifiableSet");
}
