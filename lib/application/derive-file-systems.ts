import { Token } from 'aws-cdk-lib';
import { bucketEndpoint } from '../aws/bucket-prefix';
import type { Derivation } from './derivation';
import type { FlinkVersion } from './flink-version';
import { builtInPlugins } from './image-context';

/**
 * Plugins of the Flink file systems in use, and what they need to find a bucket.
 *
 * @returns the file systems, by the name of their plugin
 */
export function deriveFileSystems(derivation: Derivation, flinkVersion: FlinkVersion): string[] {
  const endpoint = s3Endpoint(derivation);
  if (endpoint) {
    derivation.configure(
      's3.endpoint',
      endpoint,
      "endpoint of the bucket's region: the file system would otherwise ask that of the partition aws",
    );
  }
  const used = fileSystems(derivation);
  if (used.includes('s3-fs-hadoop')) {
    // S3A's own chain knows neither web identities nor Pod Identity; this one knows both (FLINK-23487).
    derivation.configure('fs.s3a.aws.credentials.provider', 'com.amazonaws.auth.DefaultAWSCredentialsProviderChain');
  }
  if (used.length > 0) {
    derivation.tell('file systems', builtInPlugins(used, flinkVersion), 'plugins for the paths in use, at the exact Flink version');
  }
  return used;
}

function fileSystems({ job, bindings }: Derivation): string[] {
  const { uri } = job.checkpointing.storage;
  const storage = /^s3p?:/.test(uri) ? ['s3-fs-presto'] : uri.startsWith('s3a:') ? ['s3-fs-hadoop'] : [];
  return [...new Set([...bindings.flatMap(({ binding }) => binding.fileSystems ?? []), ...storage])].sort();
}

/** Flink has one endpoint for all its S3 file systems. */
function s3Endpoint({ job, bindings }: Derivation): string | undefined {
  const { bucket } = job.checkpointing.storage;
  const uses = [
    ...(bucket ? [{ what: 'checkpointing.storage', endpoint: bucketEndpoint(bucket) }] : []),
    ...bindings.flatMap(({ name, binding }) => (binding.s3Endpoint ? [{ what: `table '${name}'`, endpoint: binding.s3Endpoint }] : [])),
  ];
  const known = uses.filter(({ endpoint }) => !Token.isUnresolved(endpoint));
  const other = known.find(({ endpoint }) => endpoint !== known[0]!.endpoint);
  if (other) {
    throw new Error(
      `job '${job.jobName}' uses buckets of two regions: ${known[0]!.what} at ${known[0]!.endpoint}, ${other.what} at ${other.endpoint}; Flink has one S3 endpoint for all: use buckets of one region`,
    );
  }
  return uses[0]?.endpoint;
}
