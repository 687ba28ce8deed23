import { Duration, Lazy, Token } from 'aws-cdk-lib';
import { Bucket, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { resourceProperty } from '../../lib/rules/resource-property';
import { newStack } from '../fixtures/stacks';

const LIFE_CYCLE = 'LifecycleConfiguration';
const WEEKLY = { Rules: [{ ExpirationInDays: 7, Id: 'weekly', Prefix: 'orders/', Status: 'Enabled' }] };

function bucket(): CfnBucket {
  const created = new Bucket(newStack(), 'State');
  created.addLifecycleRule({ id: 'weekly', prefix: 'orders/', expiration: Duration.days(7) });
  return created.node.defaultChild as CfnBucket;
}

test('a property is given as the template has it', () => {
  expect(resourceProperty(bucket(), LIFE_CYCLE)).toEqual(WEEKLY);
  expect(resourceProperty(bucket(), 'IntelligentTieringConfigurations')).toBeUndefined();
});

test('an override is seen, and so is one that deletes', () => {
  const resource = bucket();
  resource.addPropertyOverride(`${LIFE_CYCLE}.Rules.0.Prefix`, 'clicks/');
  expect(resourceProperty(resource, LIFE_CYCLE)).toEqual({ Rules: [{ ...WEEKLY.Rules[0], Prefix: 'clicks/' }] });
  resource.addPropertyDeletionOverride(LIFE_CYCLE);
  expect(resourceProperty(resource, LIFE_CYCLE)).toBeUndefined();
});

test('a token stays what it is in the template', () => {
  const resource = bucket();
  resource.addPropertyOverride(`${LIFE_CYCLE}.Rules.0.Prefix`, Lazy.string({ produce: () => Token.asString({ Ref: 'Prefix' }) }));
  expect(resourceProperty(resource, LIFE_CYCLE)).toEqual({ Rules: [{ ...WEEKLY.Rules[0], Prefix: { Ref: 'Prefix' } }] });
});

test('without an answer of the CDK the property is given without its overrides', () => {
  const resource = bucket();
  resource.addPropertyOverride(`${LIFE_CYCLE}.Rules.0.Prefix`, 'clicks/');
  expect('_toCloudFormation' in resource).toBe(true);
  Object.defineProperty(resource, '_toCloudFormation', { value: undefined });
  expect(resourceProperty(resource, LIFE_CYCLE)).toEqual(WEEKLY);
});
