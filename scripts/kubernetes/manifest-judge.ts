import type { ValidateFunction } from 'ajv';
import { existsSync, readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { isDeepStrictEqual } from 'util';
import { parseAllDocuments } from 'yaml';
import { BUILT_IN_SCHEMAS } from './built-in-schemas';
import { type Finding, Findings, type KubernetesObject } from './finding';
import { judgeFlinkDeployment } from './flink-deployment-rules';
import { judgeReferences } from './reference-rules';
import { type CrdSchema, resourceSchema, SchemaCompiler } from './strict-schema';

/** Where the custom resource definitions lie beside a clone; they are no part of it. */
export const CRD_FOLDER = join(__dirname, '..', '..', '..', 'shared', 'crds');

/** Largest object that client-side `kubectl apply` takes, and largest annotations of an object. */
const APPLIED_BYTES = 262_144;

interface Crd {
  readonly kind: string;
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: { readonly name: string; readonly served: boolean; readonly schema: { readonly openAPIV3Schema: CrdSchema } }[];
  };
}

/** Judges Kubernetes objects as the API server, the operators behind it and YAML readers do, without any of them. */
export class ManifestJudge {
  /** Whether a folder has the definitions that are needed. */
  public static available(folder: string = CRD_FOLDER): boolean {
    return existsSync(folder);
  }

  private readonly validators = new Map<string, ValidateFunction>();

  /**
   * @param folder folder of custom resource definitions
   */
  constructor(folder: string = CRD_FOLDER) {
    const compiler = new SchemaCompiler();
    for (const [key, schema] of BUILT_IN_SCHEMAS) {
      this.validators.set(key, compiler.compile(schema));
    }
    for (const file of readdirSync(folder).filter((name) => /\.ya?ml$/.test(name))) {
      for (const document of parseAllDocuments(readFileSync(join(folder, file), 'utf8'))) {
        const crd = document.toJS() as Crd | null;
        if (crd?.kind !== 'CustomResourceDefinition') {
          continue;
        }
        for (const version of crd.spec.versions.filter(({ served }) => served)) {
          const apiVersion = `${crd.spec.group}/${version.name}`;
          const { kind } = crd.spec.names;
          this.validators.set(`${apiVersion}/${kind}`, compiler.compile(resourceSchema(version.schema.openAPIV3Schema, apiVersion, kind)));
        }
      }
    }
  }

  /** Judges a YAML file: how readers see it, each object, and what the objects say of each other. */
  public judgeYaml(text: string): Finding[] {
    const read = (version: '1.1' | '1.2') => {
      const documents = parseAllDocuments(text, { version, merge: version === '1.1' });
      const errors = documents.flatMap((document) => [...document.errors, ...document.warnings]);
      return { objects: errors.length > 0 ? [] : documents.map((document) => document.toJS() as KubernetesObject), errors };
    };
    const [old, current] = [read('1.1'), read('1.2')];
    const file = { object: 'file', path: '' };
    const findings: Finding[] = [...old.errors, ...current.errors].map(({ message }) => ({ ...file, message }));
    if (findings.length > 0) {
      return findings;
    }
    if (!isDeepStrictEqual(old.objects, current.objects)) {
      return [{ ...file, message: 'YAML 1.1 and 1.2 readers see different objects' }];
    }
    return this.judgeManifest(current.objects);
  }

  /** Judges objects that are applied together. */
  public judgeManifest(objects: KubernetesObject[]): Finding[] {
    return [...objects.flatMap((object) => this.judge(object)), ...judgeReferences(objects)];
  }

  /** Judges one object. */
  public judge(object: KubernetesObject): Finding[] {
    const findings = new Findings(object);
    const validate = this.validators.get(`${object.apiVersion}/${object.kind}`);
    findings.expect(validate !== undefined, 'apiVersion', `no API serves ${object.kind} of ${object.apiVersion}`);
    if (!validate) {
      return findings.list;
    }
    if (!validate(object)) {
      for (const { instancePath, message, params } of validate.errors ?? []) {
        findings.expect(false, instancePath, `${message} ${JSON.stringify(params)}`);
      }
    }
    judgeSize(findings, object);
    if (object.kind === 'FlinkDeployment') {
      judgeFlinkDeployment(findings, object);
    } else if (object.kind === 'KafkaTopic') {
      findings.expect(!!object.metadata?.labels?.['strimzi.io/cluster'], 'metadata.labels', 'without a cluster Strimzi ignores the topic');
      findings.expect(object.spec?.partitions <= 2 ** 31 - 1, 'spec.partitions', 'more than an int holds');
    }
    return findings.list;
  }
}

function judgeSize(findings: Findings, object: KubernetesObject): void {
  const bytes = Buffer.byteLength(JSON.stringify(object));
  findings.expect(bytes < APPLIED_BYTES, '', `${bytes} bytes are too many for kubectl apply`);
}
