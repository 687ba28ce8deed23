import { type CfnResource, Stack } from 'aws-cdk-lib';

/**
 * A property of a resource as it stands in the template, with overrides: an escape hatch may have written it. The CDK has no public way to
 * read an override back, so this asks the resource what the synthesis asks it. Where a version of the CDK does not answer, the property is
 * taken without overrides.
 *
 * @param resource a resource
 * @param name the property as CloudFormation spells it: `LifecycleConfiguration`
 */
export function resourceProperty(resource: CfnResource, name: string): unknown {
  const { _toCloudFormation: rendered } = resource as { _toCloudFormation?(): { Resources?: Rendered } };
  const stack = Stack.of(resource);
  if (typeof rendered === 'function') {
    const { Resources: resources = {} }: { Resources?: Rendered } = stack.resolve(rendered.call(resource));
    return Object.values(resources)[0]?.Properties?.[name];
  }
  const own = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return asInTemplate(stack.resolve((resource as unknown as { [property: string]: unknown })[own]));
}

/** A resource in a template, under its logical id. */
interface Rendered {
  readonly [logicalId: string]: { readonly Properties?: { readonly [property: string]: unknown } };
}

/** TypeScript spells `expirationInDays` what a template spells `ExpirationInDays`. */
function asInTemplate(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(asInTemplate);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [`${key.charAt(0).toUpperCase()}${key.slice(1)}`, asInTemplate(item)]))
    : value;
}
