package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every registered setting must be read by some class. Setting names are compile-time constants, so
 * a class that reads a setting contains the name as a constant.
 *
 * <pre>
 *   read        by a method of a class that registers no settings
 *   read        by a method of a registry that such a class calls, directly or through other
 *               registry methods
 *   not read    in the class initializer that builds the list of settings
 * </pre>
 *
 * <p>A property of a process is a record component. It counts as read if its accessor is called.
 */
class RegisteredSettingsAreReadTest {

  private static final Set<String> NO_PRODUCTION =
      Set.of("load-tests", "cluster-testkit", "conformance", "client-tests");

  private static final String PROPERTIES =
      "Lorg/springframework/boot/context/properties/ConfigurationProperties;";

  /** A method by class, name and type. */
  private record Method(String owner, String name) {

    boolean isOfARegistry() {
      return owner.startsWith("io/varve/cluster/")
          && (owner.endsWith("Settings") || owner.endsWith("Rules"));
    }
  }

  private static final Map<Method, Set<String>> TEXTS = new HashMap<>();
  private static final Map<Method, Set<Method>> CALLS = new HashMap<>();
  private static final Map<Method, Set<String>> FIELDS = new HashMap<>();
  private static final Map<String, ClassModel> CLASSES = new HashMap<>();

  @BeforeAll
  static void readClasses() throws IOException {
    for (Path module : Modules.folders()) {
      Path classes = module.resolve("target/classes");
      if (Files.isDirectory(classes) && !NO_PRODUCTION.contains(module.getFileName().toString())) {
        try (Stream<Path> files = Files.walk(classes)) {
          files
              .filter(file -> file.toString().endsWith(".class"))
              .forEach(RegisteredSettingsAreReadTest::read);
        }
      }
    }
    assertThat(CLASSES).as("classes below %s", Modules.ROOT).hasSizeGreaterThan(500);
  }

  private static void read(Path file) {
    try {
      ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
      CLASSES.put(model.thisClass().asInternalName(), model);
      model.methods().forEach(method -> read(model, method));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(ClassModel model, MethodModel method) {
    Method me = new Method(model.thisClass().asInternalName(), method.methodName().stringValue());
    method
        .code()
        .ifPresent(code -> {
          for (CodeElement element : code) {
            switch (element) {
              case ConstantInstruction constant -> text(me, constant.constantValue());
              case InvokeInstruction call ->
                  called(me, call.owner().asInternalName(), call.name().stringValue());
              case FieldInstruction field ->
                  FIELDS
                      .computeIfAbsent(me, _ -> new HashSet<>())
                      .add(field.owner().asInternalName() + "." + field.name().stringValue());
              case InvokeDynamicInstruction dynamic ->
                  dynamic.bootstrapArgs().forEach(argument -> text(me, argument));
              default -> {}
            }
          }
        });
  }

  private static void text(Method me, ConstantDesc constant) {
    if (constant instanceof String text) {
      TEXTS.computeIfAbsent(me, _ -> new HashSet<>()).add(text);
    } else if (constant instanceof DirectMethodHandleDesc handle) {
      String owner = handle.owner().descriptorString();
      called(me, owner.substring(1, owner.length() - 1), handle.methodName());
    }
  }

  private static void called(Method me, String owner, String name) {
    CALLS.computeIfAbsent(me, _ -> new HashSet<>()).add(new Method(owner, name));
  }

  /** Returns the string constants of all methods that count as reading settings. */
  private static Set<String> textsThatAreRead() {
    Set<String> texts = new HashSet<>();
    Set<Method> reached = new HashSet<>();
    List<Method> open = new ArrayList<>();
    CALLS.forEach((caller, called) -> {
      if (!caller.isOfARegistry()) {
        open.addAll(called);
      }
    });
    while (!open.isEmpty()) {
      Method next = open.removeLast();
      if (next.isOfARegistry() && !next.name().equals("<clinit>") && reached.add(next)) {
        texts.addAll(TEXTS.getOrDefault(next, Set.of()));
        open.addAll(CALLS.getOrDefault(next, Set.of()));
      }
    }
    TEXTS.forEach((method, own) -> {
      if (!method.isOfARegistry()) {
        texts.addAll(own);
      }
    });
    return texts;
  }

  private static boolean isRead(String name, Set<String> texts) {
    int star = name.indexOf('*');
    String whole = star < 0 ? name : name.substring(0, star).replaceFirst("\\.$", "");
    return texts.contains(name)
        || texts.contains(name.replaceFirst("^index\\.", ""))
        || (star >= 0
            && texts.stream()
                .anyMatch(text -> !text.equals(name) && text.startsWith(name.substring(0, star))))
        || isComposed(whole);
  }

  /** Whether a class composes the name from two constants, one of which may have a placeholder. */
  private static boolean isComposed(String name) {
    Map<String, Set<String>> byClass = new HashMap<>();
    TEXTS.forEach((method, texts) -> {
      if (!method.isOfARegistry()) {
        byClass.computeIfAbsent(method.owner(), _ -> new HashSet<>()).addAll(texts);
      }
    });
    return byClass.values().stream()
        .anyMatch(texts -> texts.stream().anyMatch(text -> fits(text, name, texts)));
  }

  private static boolean fits(String text, String name, Set<String> others) {
    int hole = text.indexOf('\u0001');
    String before = hole < 0 ? text : text.substring(0, hole);
    String after = hole < 0 ? "" : text.substring(hole + 1).replace("\u0001", "");
    boolean isPrefix = before.indexOf('.') > 0 && before.endsWith(".");
    return isPrefix
        && name.length() > before.length() + after.length()
        && name.startsWith(before)
        && name.endsWith(after)
        && others.contains(name.substring(before.length(), name.length() - after.length()));
  }

  private static Set<String> unread(List<Setting> settings) {
    Set<String> texts = textsThatAreRead();
    Set<String> unread = new TreeSet<>();
    settings.stream()
        .filter(Setting::hasEffect)
        .map(Setting::name)
        .filter(name -> !isRead(name, texts))
        .forEach(unread::add);
    return unread;
  }

  @Test
  void eachClusterSettingWithAnEffectIsReadByAClass() {
    assertThat(unread(ClusterSettings.all())).isEmpty();
  }

  @Test
  void eachIndexSettingWithAnEffectIsReadByAClass() {
    assertThat(unread(IndexSettings.all())).isEmpty();
  }

  @Test
  void eachPropertyOfAProcessIsReadByAClass() {
    Set<String> unread = new TreeSet<>();
    Set<String> records = new TreeSet<>();
    CLASSES.forEach((name, model) -> {
      boolean annotated =
          model
              .findAttribute(Attributes.runtimeVisibleAnnotations())
              .filter(all ->
                  all.annotations().stream()
                      .anyMatch(one -> one.className().stringValue().equals(PROPERTIES)))
              .isPresent();
      if (annotated) {
        CLASSES.keySet().stream()
            .filter(other -> other.equals(name) || other.startsWith(name + "$"))
            .forEach(records::add);
      }
    });
    assertThat(records).isNotEmpty();
    for (String owner : records) {
      CLASSES
          .get(owner)
          .findAttribute(Attributes.record())
          .ifPresent(attribute -> {
            for (RecordComponentInfo component : attribute.components()) {
              String name = component.name().stringValue();
              if (!isRead(owner, name)) {
                unread.add(owner + "." + name);
              }
            }
          });
    }
    assertThat(unread).isEmpty();
  }

  private static boolean isRead(String owner, String component) {
    Method accessor = new Method(owner, component);
    String field = owner + "." + component;
    return CALLS.values().stream().anyMatch(called -> called.contains(accessor))
        || FIELDS.entrySet().stream()
            .anyMatch(entry ->
                !entry.getKey().equals(accessor)
                    && !entry.getKey().name().equals("<init>")
                    && entry.getValue().contains(field));
  }
}
