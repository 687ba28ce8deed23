const QUANTITY = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE][+-]?[0-9]+))?$/;

/**
 * What is wrong with an amount of a resource in a pod: `must be …, got …`. A number must be whole and fit into an int, a text may be
 * any quantity.
 *
 * @param value what stands where Kubernetes reads a quantity
 */
export function quantityComplaint(value: unknown): string | undefined {
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31
      ? undefined
      : `must be a text such as '500m' where the number is not whole or above 2^31 - 1, got ${value}`;
  }
  return typeof value === 'string' && QUANTITY.test(value)
    ? undefined
    : `must be a quantity such as '500m' or '10Gi', got ${typeof value === 'string' ? `'${value}'` : JSON.stringify(value)}`;
}
