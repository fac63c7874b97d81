package io.varve.standalone;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Arrays;

/** Directions between modules. A new dependency against them is a decision, not an accident. */
@AnalyzeClasses(packages = "io.varve", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule MODULES_DEPEND_DOWNWARDS =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("events")
          .definedBy("io.varve.events..", "io.varve.rpc..")
          .layer("log")
          .definedBy("io.varve.log..")
          .layer("cluster")
          .definedBy("io.varve.cluster..")
          .layer("http")
          .definedBy("io.varve.http..")
          .layer("selection")
          .definedBy("io.varve.selection..")
          .layer("store")
          .definedBy("io.varve.store..")
          .layer("search")
          .definedBy("io.varve.search..")
          .layer("engine")
          .definedBy("io.varve.engine..")
          .layer("host")
          .definedBy("io.varve.host..")
          .layer("coordinator")
          .definedBy("io.varve.coordinator..")
          .layer("shard")
          .definedBy("io.varve.shard..")
          .layer("replication")
          .definedBy("io.varve.replication..")
          .layer("ccr")
          .definedBy("io.varve.ccr..")
          .layer("standalone")
          .definedBy("io.varve.standalone..")
          .whereLayer("standalone")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("coordinator")
          .mayOnlyBeAccessedByLayers("standalone")
          .whereLayer("shard")
          .mayOnlyBeAccessedByLayers("standalone")
          .whereLayer("replication")
          .mayOnlyBeAccessedByLayers("standalone")
          .whereLayer("ccr")
          .mayOnlyBeAccessedByLayers("standalone")
          .whereLayer("host")
          .mayOnlyBeAccessedByLayers("shard", "replication", "ccr")
          .whereLayer("engine")
          .mayOnlyBeAccessedByLayers("host", "shard", "replication")
          .whereLayer("store")
          .mayOnlyBeAccessedByLayers("host", "shard", "replication")
          .whereLayer("search")
          .mayOnlyBeAccessedByLayers("engine", "host", "coordinator")
          .whereLayer("selection")
          .mayOnlyBeAccessedByLayers("host", "coordinator")
          .whereLayer("cluster")
          .mayOnlyBeAccessedByLayers("http", "host", "coordinator", "ccr", "shard", "replication")
          .whereLayer("http")
          .mayOnlyBeAccessedByLayers("host", "coordinator")
          .whereLayer("log")
          .mayOnlyBeAccessedByLayers(
              "cluster", "host", "coordinator", "shard", "replication", "ccr");

  @ArchTest
  static final ArchRule PACKAGES_OF_COPIES_ARE_FREE_OF_CYCLES =
      slices()
          .assignedFrom(
              packagesOf("io.varve.host", "io.varve.shard", "io.varve.replication", "io.varve.ccr"))
          .should()
          .beFreeOfCycles();

  /** Each package of these modules is a slice, also the one with the name of the module. */
  private static SliceAssignment packagesOf(String... modules) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return isOf(type) ? SliceIdentifier.of(type.getPackageName()) : SliceIdentifier.ignore();
      }

      private boolean isOf(JavaClass type) {
        return Arrays.stream(modules)
            .anyMatch(module -> (type.getPackageName() + ".").startsWith(module + "."));
      }

      @Override
      public String getDescription() {
        return "packages of " + String.join(", ", modules);
      }
    };
  }

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
              "io.varve.events..", "io.varve.rpc..", "io.varve.log..", "io.varve.cluster..")
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

  @ArchTest
  static final ArchRule ONLY_THE_LOGS_ADAPTER_KNOWS_KAFKA =
      noClasses()
          .that()
          .resideInAnyPackage("io.varve..")
          .and()
          .resideOutsideOfPackages("io.varve.log.kafka..", "io.varve.kafka..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka..");
}
