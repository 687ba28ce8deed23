const SUBDOMAIN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
const DNS_LABEL = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
/** `[prefix/]name` of a label or annotation. */
const QUALIFIED_NAME =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';
const LABEL_VALUE = '^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$';

/** What of the metadata of an object its author writes. */
export const METADATA = {
  type: 'object',
  required: ['name', 'namespace'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', maxLength: 253, pattern: SUBDOMAIN },
    namespace: { type: 'string', maxLength: 63, pattern: DNS_LABEL },
    labels: {
      type: 'object',
      propertyNames: { pattern: QUALIFIED_NAME },
      additionalProperties: { type: 'string', pattern: LABEL_VALUE },
    },
    annotations: {
      type: 'object',
      // Annotations take prefixes in any case.
      propertyNames: { pattern: QUALIFIED_NAME.replaceAll('a-z0-9', 'A-Za-z0-9') },
      additionalProperties: { type: 'string' },
    },
  },
};

const STRINGS = { type: 'array', minItems: 1, items: { type: 'string' } };
const VERBS = { enum: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] };

function kind(apiVersion: string, name: string, properties: object, required: string[] = []): [string, object] {
  return [
    `${apiVersion}/${name}`,
    {
      type: 'object',
      additionalProperties: false,
      required: ['apiVersion', 'kind', 'metadata', ...required],
      properties: { apiVersion: { const: apiVersion }, kind: { const: name }, metadata: METADATA, ...properties },
    },
  ];
}

const RBAC = 'rbac.authorization.k8s.io';

/** Kinds that Kubernetes itself has and that this library emits, by apiVersion and kind. */
export const BUILT_IN_SCHEMAS: ReadonlyMap<string, object> = new Map([
  kind('v1', 'ServiceAccount', { automountServiceAccountToken: { type: 'boolean' } }),
  kind('v1', 'ConfigMap', {
    immutable: { type: 'boolean' },
    data: {
      type: 'object',
      propertyNames: { pattern: '^[-._a-zA-Z0-9]{1,253}$', not: { pattern: '^\\.\\.?$' } },
      additionalProperties: { type: 'string' },
    },
  }),
  kind(
    `${RBAC}/v1`,
    'Role',
    {
      rules: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['apiGroups', 'resources', 'verbs'],
          // No wildcard: a job manager knows what it needs.
          properties: {
            apiGroups: { ...STRINGS, items: { type: 'string', not: { const: '*' } } },
            resources: { ...STRINGS, items: { type: 'string', not: { pattern: '\\*' } } },
            verbs: { ...STRINGS, items: VERBS },
            resourceNames: STRINGS,
          },
        },
      },
    },
    ['rules'],
  ),
  kind(
    `${RBAC}/v1`,
    'RoleBinding',
    {
      roleRef: {
        type: 'object',
        additionalProperties: false,
        required: ['apiGroup', 'kind', 'name'],
        properties: { apiGroup: { const: RBAC }, kind: { enum: ['Role', 'ClusterRole'] }, name: { type: 'string', minLength: 1 } },
      },
      subjects: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['kind', 'name', 'namespace'],
          properties: {
            kind: { const: 'ServiceAccount' },
            name: { type: 'string', pattern: SUBDOMAIN },
            namespace: { type: 'string', pattern: DNS_LABEL },
          },
        },
      },
    },
    ['roleRef', 'subjects'],
  ),
]);
