/**
 * Whether a host is an endpoint of Amazon OpenSearch: the clients of Elasticsearch refuse a cluster that is no product of Elastic.
 *
 * @param host the name of a host
 */
export function isOpenSearchEndpoint(host: string): boolean {
  return /\.(es|aoss)\.amazonaws\.|\.aos\.[a-z0-9-]+\.on\./.test(host);
}
