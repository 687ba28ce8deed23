import { type Finding, Findings, type KubernetesObject } from './finding';

/**
 * What objects that are applied together must say of each other: nothing refuses a pod that waits for a ConfigMap that never comes.
 *
 * @param objects the objects of one manifest
 */
export function judgeReferences(objects: KubernetesObject[]): Finding[] {
  const named = (kind: string, name: string) => objects.find((object) => object.kind === kind && object.metadata?.name === name);
  return objects.flatMap((object) => {
    const findings = new Findings(object);
    const twin = objects.find((other) => other !== object && other.kind === object.kind && other.metadata?.name === object.metadata?.name);
    findings.expect(twin === undefined, 'metadata.name', 'another object of this kind has the same name');
    findings.expect(
      objects.every((other) => other.metadata?.namespace === object.metadata?.namespace),
      'metadata.namespace',
      'the objects of a job stand in one namespace',
    );
    if (object.kind === 'RoleBinding') {
      findings.expect(named('Role', object.roleRef?.name) !== undefined, 'roleRef', 'the role is not there');
      for (const subject of object.subjects ?? []) {
        findings.expect(named('ServiceAccount', subject.name) !== undefined, 'subjects', 'the service account is not there');
        findings.expect(subject.namespace === object.metadata?.namespace, 'subjects', 'the service account is in another namespace');
      }
    }
    if (object.kind === 'FlinkDeployment') {
      judgeMounts(findings, object, named);
    }
    return findings.list;
  });
}

type Lookup = (kind: string, name: string) => KubernetesObject | undefined;

function judgeMounts(findings: Findings, object: KubernetesObject, named: Lookup): void {
  for (const process of ['jobManager', 'taskManager']) {
    const pod = object.spec?.[process]?.podTemplate?.spec ?? {};
    for (const { configMap } of pod.volumes ?? []) {
      const data = configMap && named('ConfigMap', configMap.name)?.data;
      for (const { key } of configMap?.items ?? []) {
        findings.expect(data?.[key] !== undefined, `spec.${process}.podTemplate`, `ConfigMap '${configMap.name}' has no key '${key}'`);
      }
    }
    for (const { valueFrom } of (pod.containers ?? []).flatMap((container: KubernetesObject) => container.env ?? [])) {
      const reference = valueFrom?.secretKeyRef;
      const external = reference && named('ExternalSecret', reference.name);
      if (external) {
        const keys = external.spec.data.map(({ secretKey }: { secretKey: string }) => secretKey);
        findings.expect(keys.includes(reference.key), `spec.${process}.podTemplate`, `no external secret gives '${reference.key}'`);
      }
    }
  }
}
