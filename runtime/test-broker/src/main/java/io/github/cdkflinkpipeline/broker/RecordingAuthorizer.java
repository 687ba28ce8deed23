package io.github.cdkflinkpipeline.broker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;

/** Allows everything, and remembers what the job had to be allowed. */
public final class RecordingAuthorizer implements Authorizer {

  /** The broker makes the authorizer itself: there is no other way to it. */
  private static final Set<String> ASKED = new ConcurrentSkipListSet<>();

  /** Operation, type and name of each resource: {@code READ TOPIC dwd_order_item}. */
  static List<String> asked() {
    return List.copyOf(ASKED);
  }

  @Override
  public List<AuthorizationResult> authorize(
      AuthorizableRequestContext request, List<Action> actions) {
    if (request.listenerName().equals("GATED")) {
      for (Action action : actions) {
        // The others are questions of what would be allowed, which no client fails by.
        if (action.logIfDenied()) {
          ASKED.add(
              "%s %s %s"
                  .formatted(
                      action.operation(),
                      action.resourcePattern().resourceType(),
                      action.resourcePattern().name()));
        }
      }
    }
    return actions.stream().map(action -> AuthorizationResult.ALLOWED).toList();
  }

  @Override
  public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
    Map<Endpoint, CompletionStage<Void>> started = new HashMap<>();
    server
        .endpoints()
        .forEach(endpoint -> started.put(endpoint, CompletableFuture.completedFuture(null)));
    return started;
  }

  @Override
  public List<? extends CompletionStage<AclCreateResult>> createAcls(
      AuthorizableRequestContext request, List<AclBinding> bindings) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
      AuthorizableRequestContext request, List<AclBindingFilter> filters) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Iterable<AclBinding> acls(AclBindingFilter filter) {
    return List.of();
  }

  @Override
  public void configure(Map<String, ?> settings) {}

  @Override
  public void close() {}
}
