package io.varve.control.command;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Templates;
import io.varve.rpc.ApiException;
import java.util.Map;

/** Checks templates, both those that are stored and those that are only simulated. */
public final class TemplateRules {

  private TemplateRules() {}

  /** Throws an {@link ApiException} if the template could not be put under that name. */
  public static void check(ClusterState state, String name, Templates.Composable template) {
    // A generated name, for a template without one, begins with an underscore.
    String checked = name.startsWith("_") ? name.substring(1) : name;
    TemplateDecisions.refusal(state, checked, template, false)
        .ifPresent(error -> {
          throw new ApiException(error);
        });
  }

  /** The aliases for an index of that name. */
  public static Map<String, AliasMetadata> named(Map<String, AliasMetadata> aliases, String index) {
    return TemplateComposer.named(aliases, index);
  }
}
