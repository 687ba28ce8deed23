import { Stack, Token } from 'aws-cdk-lib';
import { DockerImageAsset, Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Construct } from 'constructs';
import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import type { FlinkApplication } from '../application/flink-application';
import { FlinkArchitecture } from '../application/flink-architecture';
import { writeImageContext } from '../application/image-context';
import { imageSpec } from '../application/pipeline-image';

/**
 * The image of a job: the one that it names, else an asset that is built when the app is deployed.
 *
 * @param scope the job
 * @param application the job
 */
export function jobImage(scope: Construct, application: FlinkApplication): string {
  return application.image.imageName ?? buildImage(scope, application);
}

function buildImage(scope: Construct, application: FlinkApplication): string {
  const spec = imageSpec(application.image, application._imageNeeds());
  const directory = mkdtempSync(join(tmpdir(), 'cdk-flink-pipeline-'));
  try {
    writeImageContext(directory, spec);
    const platform = spec.architecture === FlinkArchitecture.ARM_64 ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64;
    // The asset copies the directory into the assembly as it is created.
    const asset = new DockerImageAsset(scope, 'Image', { directory, platform });
    return literalUri(scope, asset.imageUri);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** In a concrete environment the one unknown part of the URI is the domain, which follows from the region: a manifest file must not hold it. */
function literalUri(scope: Construct, uri: string): string {
  const stack = Stack.of(scope);
  const suffix = Token.isUnresolved(stack.region) ? undefined : RegionInfo.get(stack.region).domainSuffix;
  const resolved = stack.resolve(uri);
  const template = typeof resolved === 'string' ? resolved : resolved?.['Fn::Sub'];
  const literal = suffix === undefined || typeof template !== 'string' ? undefined : template.replace('${AWS::URLSuffix}', suffix);
  return literal === undefined || literal.includes('${') ? uri : literal;
}
