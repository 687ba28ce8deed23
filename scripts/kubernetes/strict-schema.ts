import Ajv, { type ValidateFunction } from 'ajv';
import { METADATA } from './built-in-schemas';

/** A schema in the dialect of custom resource definitions. */
export interface CrdSchema {
  readonly [keyword: string]: unknown;
}

/** Keywords that JSON Schema and structural schemas share, and that hold no schema. */
const PLAIN = [
  'type',
  'enum',
  'required',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'uniqueItems',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
];

/**
 * A structural schema as JSON Schema with the strictness of server-side apply: unknown fields and explicit nulls are refused.
 *
 * @param schema `openAPIV3Schema` of a custom resource definition, or a part of it
 */
export function strictSchema(schema: CrdSchema): object {
  const strict: { [keyword: string]: unknown } = {};
  for (const keyword of PLAIN) {
    if (schema[keyword] !== undefined) {
      strict[keyword] = schema[keyword];
    }
  }
  if (schema['x-kubernetes-int-or-string'] === true) {
    strict.type = ['integer', 'string'];
  }
  if (schema.nullable === true && typeof strict.type === 'string') {
    strict.type = [strict.type, 'null'];
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(schema[keyword])) {
      // Structural schemas name no fields within these: their parts only narrow, so nothing is unknown to them.
      strict[keyword] = (schema[keyword] as CrdSchema[]).map((part) => narrowing(part));
    }
  }
  if (schema.not) {
    strict.not = narrowing(schema.not as CrdSchema);
  }
  if (schema.items) {
    strict.items = strictSchema(schema.items as CrdSchema);
  }
  if (schema['x-kubernetes-list-type'] === 'map') {
    strict.uniqueBy = schema['x-kubernetes-list-map-keys'];
  } else if (schema['x-kubernetes-list-type'] === 'set') {
    strict.uniqueItems = true;
  }
  const properties = schema.properties as { [name: string]: CrdSchema } | undefined;
  if (properties) {
    strict.properties = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, strictSchema(property)]));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    if (typeof schema.additionalProperties === 'object') {
      strict.additionalProperties = strictSchema(schema.additionalProperties as CrdSchema);
    } else if (properties || schema.type === 'object') {
      strict.additionalProperties = schema.additionalProperties === true;
    }
  }
  return strict;
}

function narrowing(schema: CrdSchema): object {
  const { additionalProperties, ...rest } = strictSchema(schema) as { additionalProperties?: unknown };
  return rest;
}

/**
 * The schema of a whole custom resource: the definition leaves out what every object has, and users write no status.
 *
 * @param schema `openAPIV3Schema` of one version
 * @param apiVersion group and version
 * @param kind kind
 */
export function resourceSchema(schema: CrdSchema, apiVersion: string, kind: string): object {
  const { status, ...properties } = schema.properties as { [name: string]: CrdSchema };
  const strict = strictSchema({ ...schema, type: 'object', properties }) as { properties: object; required?: string[] };
  return {
    ...strict,
    properties: { ...strict.properties, apiVersion: { const: apiVersion }, kind: { const: kind }, metadata: METADATA },
    required: [...new Set([...(strict.required ?? []), 'apiVersion', 'kind', 'metadata', 'spec'])],
  };
}

/** Go writes flags into the pattern. */
function goRegExp(pattern: string, flags: string): RegExp {
  return pattern.includes('(?i)') ? new RegExp(pattern.replace('(?i)', ''), `${flags}i`) : new RegExp(pattern, flags);
}

/** A validator with the formats and the list keys of Kubernetes. */
export class SchemaCompiler {
  private readonly ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    unicodeRegExp: false,
    code: { regExp: Object.assign(goRegExp, { code: 'new RegExp' }) },
  });

  constructor() {
    const limits: [string, bigint][] = [
      ['int32', 2n ** 31n],
      ['int64', 2n ** 63n],
    ];
    for (const [format, limit] of limits) {
      this.ajv.addFormat(format, {
        type: 'number',
        validate: (value: number) => Number.isInteger(value) && BigInt(value) >= -limit && BigInt(value) < limit,
      });
    }
    this.ajv.addFormat('date-time', { type: 'string', validate: (value: string) => !Number.isNaN(Date.parse(value)) });
    this.ajv.addKeyword({
      keyword: 'uniqueBy',
      type: 'array',
      schemaType: 'array',
      validate: (keys: string[], items: { [key: string]: unknown }[]) => {
        const identities = items.map((item) => JSON.stringify(keys.map((key) => item?.[key])));
        return new Set(identities).size === identities.length;
      },
    });
  }

  /** Compiles a JSON Schema. */
  public compile(schema: object): ValidateFunction {
    return this.ajv.compile(schema);
  }
}
