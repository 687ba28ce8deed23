/** Where the names that a job uses mean what they mean to it. */
export interface JobPlace {
  /** Account and region, empty in a plain cdk8s app. */
  readonly environment: string;
  /** The Kubernetes cluster that it runs in, by any name that tells it from the others of the app. */
  readonly kubernetesCluster: string;
}

/**
 * An address as jobs are compared by it: names of services mean something else in another Kubernetes cluster, all others the same
 * throughout an account and region.
 *
 * @param place where the job is
 * @param address brokers, hosts or a URL
 */
export function addressPlace({ environment, kubernetesCluster }: JobPlace, address: string): string {
  const parts = address.split(/[,;]/).sort();
  return JSON.stringify(parts.map(hostOf).every(isService) ? [environment, kubernetesCluster, ...parts] : [environment, ...parts]);
}

/**
 * A Kafka cluster as jobs are compared by it.
 *
 * @param place where the job is
 * @param clusterId the id of a `KafkaCluster`, which is its brokers where nothing else is known
 */
export function clusterPlace(place: JobPlace, clusterId: string): string {
  const [, brokers] = /^brokers:(.*)$/.exec(clusterId) ?? [];
  return brokers === undefined ? JSON.stringify([place.environment, clusterId]) : addressPlace(place, brokers);
}

/** `mysql` of `jdbc:mysql://flink@mysql:3306/shop`, empty for `file:///state`. */
export function hostOf(address: string): string {
  return address
    .trim()
    .replace(/^.*?:\/\//, '')
    .replace(/^[^/]*@/, '')
    .split(/[:/?]/)[0]!;
}

/** Whether a host is found by its name within one Kubernetes cluster: `kafka`, `kafka.shop`, `kafka.shop.svc.cluster.local`. */
function isService(host: string): boolean {
  const isShort = /^[a-z0-9-]*(\.[a-z0-9-]+)?$/i.test(host);
  return (isShort && !/\.(internal|local|lan|corp|com|net|org|io|cloud)$/i.test(host)) || /\.svc(\.|$)/i.test(host);
}
