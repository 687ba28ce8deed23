/** Regions of every partition, those included that this version of the CDK does not know yet. */
const REGION = /^[a-z]{2,4}(-gov|-iso[a-z]?|-[a-z]{2})?-(north|south|east|west|central|northeast|southeast|northwest|southwest)-\d$/;

/**
 * Refuses a region that cannot be one: a typing error would else show when the job starts, as a host that nobody knows.
 *
 * @param prop the prop that gave the region, for the message
 * @param region the region, a literal
 */
export function checkRegion(prop: string, region: string): void {
  if (!REGION.test(region)) {
    throw new Error(`${prop} must name an AWS region such as 'eu-central-1', got '${region}'`);
  }
}
