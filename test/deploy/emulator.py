"""Runs the emulator with the resource types that it lacks, and keeps what reached "the cluster" in a file.

Usage: emulator.py STATE_FILE    The handlers store what they are given, and refuse what the services refuse.
"""

import functools
import json
import re
import sys

from ministack.app import main
from ministack.core import iam_evaluator
from ministack.services import iam, kinesis
from ministack.services.cloudformation import provisioners

STATE_FILE = sys.argv.pop(1)
MANIFEST = "Custom::AWSCDK-EKS-KubernetesResource"

# `events` in the order in which they happened: of the cluster, and of every resource that CloudFormation made, changed or deleted.
state = {"events": [], "objects": {}, "topics": {}, "associations": {}}


def record(action, what, **details):
    state["events"].append({"action": action, "what": what, **details})
    with open(STATE_FILE, "w", encoding="utf-8") as file:
        json.dump(state, file, indent=1)


def require(resource_type, props, required, optional=()):
    """Refuses a missing, empty or unknown property, and a token that nobody resolved."""
    for name in required:
        if props.get(name) in (None, ""):
            raise ValueError(f"{resource_type}: required property {name} is missing")
    for name, value in props.items():
        if name not in required and name not in optional:
            raise ValueError(f"{resource_type}: unknown property {name}")
        if "${Token[" in json.dumps(value):
            raise ValueError(f"{resource_type}: property {name} holds an unresolved token")


def matches(resource_type, name, value, pattern):
    if not re.fullmatch(pattern, str(value)):
        raise ValueError(f"{resource_type}: {name} {value!r} does not match {pattern}")


# --- Objects of the cluster, as the kubectl handler of the CDK treats them


def key_of(item):
    for field in ("apiVersion", "kind"):
        if not item.get(field):
            raise ValueError(f"error validating data: {field} not set")
    metadata = item.get("metadata") or {}
    matches(item["kind"], "metadata.name", metadata.get("name", ""), r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")
    return f"{item['kind']}/{metadata.get('namespace', 'default')}/{metadata['name']}"


def objects_of(props):
    require(MANIFEST, props, ("ServiceToken", "Manifest", "ClusterName"), ("RoleArn", "Overwrite", "PruneLabel", "SkipValidation"))
    items = json.loads(props["Manifest"])
    if not isinstance(items, list) or not items:
        raise ValueError("the manifest is no list of objects")
    return {key_of(item): item for item in items}


def apply(items):
    for key, item in items.items():
        before = state["objects"].get(key)
        if before and before.get("immutable") and before.get("data") != item.get("data"):
            raise ValueError(f"{key} is invalid: data: Forbidden: field is immutable when `immutable` is set")
        state["objects"][key] = item
        record("unchanged" if before == item else "configured" if before else "created", key)


def create_objects(logical_id, props, stack_name):
    items = objects_of(props)
    if str(props.get("Overwrite", "false")).lower() != "true":
        for key in items:
            if key in state["objects"]:
                raise ValueError(f"Error from server (AlreadyExists): {key} already exists")
    apply(items)
    return f"{stack_name}/{logical_id}", {}


def update_objects(physical_id, old_props, new_props, stack_name):
    apply(objects_of(new_props))
    return physical_id, {}


def delete_objects(physical_id, props):
    for key in objects_of(props):
        if state["objects"].pop(key, None) is not None:
            record("deleted", key)


# --- Types that the emulator lacks

TOPIC = "AWS::MSK::Topic"
ASSOCIATION = "AWS::EKS::PodIdentityAssociation"


def check_topic(props):
    require(TOPIC, props, ("ClusterArn", "TopicName", "PartitionCount", "ReplicationFactor"), ("Configs",))
    matches(TOPIC, "ClusterArn", props["ClusterArn"], r"arn:aws[-a-z]*:kafka:[a-z0-9-]+:\d{12}:cluster/.+/[-0-9a-f]+")
    matches(TOPIC, "TopicName", props["TopicName"], r"[a-zA-Z0-9._-]{1,249}")


def create_topic(logical_id, props, stack_name):
    check_topic(props)
    arn = f"{props['ClusterArn'].replace(':cluster/', ':topic/')}/{props['TopicName']}"
    if arn in state["topics"]:
        raise ValueError(f"{TOPIC}: topic {arn} exists already")
    state["topics"][arn] = props
    record("created", arn)
    return arn, {"TopicArn": arn}


def update_topic(physical_id, old_props, new_props, stack_name):
    check_topic(new_props)
    if int(new_props["PartitionCount"]) < int(old_props["PartitionCount"]):
        raise ValueError(f"{TOPIC}: partitions cannot be taken away")
    state["topics"][physical_id] = new_props
    record("configured", physical_id)
    return physical_id, {"TopicArn": physical_id}


def delete_topic(physical_id, props):
    del state["topics"][physical_id]
    record("deleted", physical_id)


def create_association(logical_id, props, stack_name):
    require(ASSOCIATION, props, ("ClusterName", "Namespace", "ServiceAccount", "RoleArn"), ("Tags",))
    matches(ASSOCIATION, "RoleArn", props["RoleArn"], r"arn:aws[-a-z]*:iam::\d{12}:role/.+")
    key = "/".join(props[name] for name in ("ClusterName", "Namespace", "ServiceAccount"))
    if key in state["associations"]:
        raise ValueError(f"{ASSOCIATION}: {key} has an association already")
    state["associations"][key] = props
    record("created", f"association {key}")
    return key, {"AssociationId": key}


def update_association(physical_id, old_props, new_props, stack_name):
    if any(old_props[name] != new_props.get(name) for name in ("ClusterName", "Namespace", "ServiceAccount")):
        raise ValueError(f"{ASSOCIATION}: only the role can change in place")
    state["associations"][physical_id] = new_props
    record("configured", f"association {physical_id}")
    return physical_id, {"AssociationId": physical_id}


def delete_association(physical_id, props):
    del state["associations"][physical_id]
    record("deleted", f"association {physical_id}")


# --- What the emulator gets wrong

update_stream_as_emulated = provisioners._RESOURCE_HANDLERS["AWS::Kinesis::Stream"]["update"]


def update_stream(physical_id, old_props, new_props, stack_name):
    """The emulator's own update keeps the shards; CloudFormation calls UpdateShardCount, and so does this."""
    result = update_stream_as_emulated(physical_id, old_props, new_props, stack_name)
    if int(new_props.get("ShardCount", 1)) != int(old_props.get("ShardCount", 1)):
        status, _, body = kinesis._update_shard_count({"StreamName": physical_id, "TargetShardCount": new_props["ShardCount"]})
        if status >= 400:
            raise ValueError(f"UpdateShardCount failed: {body!r}")
    return result


simulate_as_emulated = iam._simulate_principal_policy


def simulate_principal_policy(parameters):
    """The emulator's own simulation forgets the context of a call, such as the `s3:prefix` of a listing, which a condition asks for."""
    context, number = {}, 1
    while key := iam._p(parameters, f"ContextEntries.member.{number}.ContextKeyName"):
        context[key.lower()] = iam._p(parameters, f"ContextEntries.member.{number}.ContextKeyValues.member.1")
        number += 1
    evaluation_context = iam_evaluator.EvalContext
    iam_evaluator.EvalContext = functools.partial(evaluation_context, service_context=context)
    try:
        return simulate_as_emulated(parameters)
    finally:
        iam_evaluator.EvalContext = evaluation_context


iam._IAM_HANDLERS["SimulatePrincipalPolicy"] = simulate_principal_policy


def traced(resource_type, handlers):
    """The handlers of a type, with a record of each call that succeeded."""

    def create(logical_id, props, stack_name):
        result = handlers["create"](logical_id, props, stack_name)
        record("create", resource_type, logicalId=logical_id)
        return result

    def update(physical_id, old_props, new_props, stack_name, logical_id=None):
        more = (logical_id,) if handlers.get("update_with_logical_id") else ()
        result = handlers["update"](physical_id, old_props, new_props, stack_name, *more)
        record("update", resource_type, physicalId=physical_id)
        return result

    def delete(physical_id, props, logical_id=None):
        more = (logical_id,) if handlers.get("delete_with_logical_id") else ()
        handlers["delete"](physical_id, props, *more)
        record("delete", resource_type, physicalId=physical_id)

    wrapped = {"create": create, "update": update, "delete": delete}
    return {**handlers, **{name: function for name, function in wrapped.items() if name in handlers}}


provisioners._RESOURCE_HANDLERS.update(
    {
        MANIFEST: {"create": create_objects, "update": update_objects, "delete": delete_objects},
        TOPIC: {"create": create_topic, "update": update_topic, "delete": delete_topic},
        ASSOCIATION: {"create": create_association, "update": update_association, "delete": delete_association},
    }
)
provisioners._RESOURCE_HANDLERS["AWS::Kinesis::Stream"]["update"] = update_stream
for name, handlers_of_type in list(provisioners._RESOURCE_HANDLERS.items()):
    provisioners._RESOURCE_HANDLERS[name] = traced(name, handlers_of_type)

main()
