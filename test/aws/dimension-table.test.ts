import { App, Aws, CfnParameter, Lazy, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AttributeType, Operation, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { DimensionTable, type DimensionTableProps } from '../../lib/aws/dimension-table';

const CHINA = { account: '123456789012', region: 'cn-north-1' };

function create(props: Partial<DimensionTableProps>): DimensionTable {
  return new DimensionTable(new Stack(), 'Users', { partitionKey: 'user_id', ...props });
}

function synthesize(props: Partial<DimensionTableProps>): Template {
  return Template.fromStack(Stack.of(create(props)));
}

function roleIn(stack: Stack): Role {
  return new Role(stack, 'Role', { assumedBy: new ServicePrincipal('pods.eks.amazonaws.com') });
}

function statements(stack: Stack): unknown[] {
  const policies = Template.fromStack(stack).findResources('AWS::IAM::Policy');
  return Object.values(policies).flatMap((policy) => policy.Properties.PolicyDocument.Statement);
}

describe('the table', () => {
  test('is on-demand, recoverable, protected and retained', () => {
    const template = synthesize({ tableName: 'user-dim' });

    template.hasResource('AWS::DynamoDB::GlobalTable', {
      Properties: {
        TableName: 'user-dim',
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'user_id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'user_id', AttributeType: 'S' }],
        TimeToLiveSpecification: Match.absent(),
        WarmThroughput: Match.absent(),
        Replicas: [{ DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
      },
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
  });

  test('takes all else', () => {
    const template = synthesize({
      partitionKeyType: AttributeType.NUMBER,
      sortKey: 'valid_from',
      sortKeyType: AttributeType.BINARY,
      pointInTimeRecovery: false,
      deletionProtection: false,
      timeToLiveAttribute: 'expires',
      maxReadRequestUnits: 20_000,
      maxWriteRequestUnits: 5_000,
      warmThroughput: { readUnitsPerSecond: 15_000, writeUnitsPerSecond: 4_000 },
      removalPolicy: RemovalPolicy.DESTROY,
    });

    template.hasResource('AWS::DynamoDB::GlobalTable', {
      Properties: {
        KeySchema: [
          { AttributeName: 'user_id', KeyType: 'HASH' },
          { AttributeName: 'valid_from', KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [
          { AttributeName: 'user_id', AttributeType: 'N' },
          { AttributeName: 'valid_from', AttributeType: 'B' },
        ],
        TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
        WarmThroughput: { ReadUnitsPerSecond: 15_000, WriteUnitsPerSecond: 4_000 },
        WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 5_000 },
        Replicas: [
          {
            DeletionProtectionEnabled: false,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
            ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 20_000 },
          },
        ],
      },
      DeletionPolicy: 'Delete',
    });
  });

  test('is encrypted with a customer key', () => {
    const stack = new Stack(new App(), 'Pipeline', { env: { region: 'cn-north-1' } });
    const encryptionKey = new Key(stack, 'Key');
    new DimensionTable(stack, 'Users', { partitionKey: 'user_id', encryptionKey });

    const anywhere = new Stack();
    expect(() => new DimensionTable(anywhere, 'Users', { partitionKey: 'id', encryptionKey: new Key(anywhere, 'Key') })).toThrow(
      'encryptionKey of a table needs a stack with a concrete region, got a token; set env.region of the stack',
    );

    Template.fromStack(stack).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [Match.objectLike({ SSESpecification: { KMSMasterKeyId: stack.resolve(encryptionKey.keyArn) } })],
    });
  });

  test('works twice in one stack', () => {
    const stack = new Stack();
    new DimensionTable(stack, 'One', { partitionKey: 'id' });
    new DimensionTable(stack, 'Two', { partitionKey: 'id' });

    Template.fromStack(stack).resourceCountIs('AWS::DynamoDB::GlobalTable', 2);
  });

  test.each(['', 'ab', 'a b c', 'x'.repeat(256)])('refuses the name %p', (tableName) => {
    expect(() => create({ tableName })).toThrow('tableName must have 3 to 255 characters');
  });

  test.each(['abc', 'x'.repeat(255), `${Aws.STACK_NAME} a/b`])('takes the name %p', (tableName) => {
    expect(() => synthesize({ tableName })).not.toThrow();
  });

  test('refuses a key that is none', () => {
    expect(() => create({ partitionKey: '' })).toThrow('partitionKey must have 1 to 255 bytes in UTF-8, got 0');
    expect(() => create({ sortKey: 'ü'.repeat(128) })).toThrow('sortKey must have 1 to 255 bytes in UTF-8, got 256');
    expect(() => create({ sortKey: 'ü'.repeat(127) })).not.toThrow();
    expect(() => create({ sortKey: 'user_id' })).toThrow("sortKey must be another attribute than partitionKey, got 'user_id' for both");
    expect(() => create({ partitionKey: Aws.STACK_NAME })).toThrow(
      'partitionKey must be known at synth because a column of the SQL table is called like it, got a token',
    );
    expect(() => create({ sortKeyType: AttributeType.NUMBER })).toThrow("sortKeyType needs a sortKey, got the type 'N' alone");
  });

  test('refuses a time to live that is part of the key', () => {
    const message = (attribute: string) => `timeToLiveAttribute must be another attribute than those of the key, got '${attribute}'`;

    expect(() => create({ timeToLiveAttribute: 'user_id' })).toThrow(message('user_id'));
    expect(() => create({ sortKey: 'at', timeToLiveAttribute: 'at' })).toThrow(message('at'));
    expect(() => create({ timeToLiveAttribute: '' })).toThrow('timeToLiveAttribute must have 1 to 255 bytes');
    expect(() => create({ sortKey: 'at', timeToLiveAttribute: 'expires_at' })).not.toThrow();
    expect(() => synthesize({ timeToLiveAttribute: Aws.STACK_NAME })).not.toThrow();
  });

  test.each([
    [{ deletionProtection: 'false' }, 'deletionProtection of a dimension table must be true or false; got text'],
    [{ partitionKey: undefined }, 'partitionKey of a dimension table must be text; got nothing'],
    [{ pointInTimeRecovery: 0 }, 'pointInTimeRecovery of a dimension table must be true or false; got a number'],
    [{ timeToLiveAttribute: true }, 'timeToLiveAttribute of a dimension table must be text; got a boolean'],
  ])('refuses %j, which no compiler has seen', (props, message) => {
    expect(() => create(props as never)).toThrow(message);
  });

  test.each([
    ['maxReadRequestUnits', (units: number) => ({ maxReadRequestUnits: units })],
    ['maxWriteRequestUnits', (units: number) => ({ maxWriteRequestUnits: units })],
    ['warmThroughput.readUnitsPerSecond', (units: number) => ({ warmThroughput: { readUnitsPerSecond: units } })],
    ['warmThroughput.writeUnitsPerSecond', (units: number) => ({ warmThroughput: { writeUnitsPerSecond: units } })],
  ])('refuses %s below 1, takes 1 and a token', (prop, props) => {
    expect(() => create(props(0))).toThrow(`${prop} must be a whole number of at least 1, got 0`);
    expect(() => create(props(1.5))).toThrow(`${prop} must be a whole number of at least 1, got 1.5`);
    expect(() => create(props(2 ** 31))).toThrow(`${prop} must be a whole number from 1 to 2147483647, got 2147483648`);
    expect(() => synthesize(props(1))).not.toThrow();
    expect(() => synthesize(props(Lazy.number({ produce: () => 5 })))).not.toThrow();
  });
});

test.each([
  ['us-east-1', 'aws'],
  ['cn-north-1', 'aws-cn'],
  ['us-gov-west-1', 'aws-us-gov'],
])('the address is literal in %s where name and environment are', (region, partition) => {
  const stack = new Stack(new App(), 'Pipeline', { env: { account: '123456789012', region } });
  const table = new DimensionTable(stack, 'Users', { tableName: 'user-dim', partitionKey: 'user_id' });
  const unnamed = new DimensionTable(stack, 'Unnamed', { partitionKey: 'user_id' });

  expect(table).toMatchObject({
    tableArn: `arn:${partition}:dynamodb:${region}:123456789012:table/user-dim`,
    tableName: 'user-dim',
    region,
  });
  expect(table.dependable).toBe(table);
  expect(stack.resolve(unnamed.tableArn)).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^Unnamed/), 'Arn'] });
});

describe('grants', () => {
  const arn = 'arn:aws-cn:dynamodb:cn-north-1:123456789012:table/user-dim';
  const keyArn = 'arn:aws-cn:kms:cn-north-1:123456789012:key/k';

  function granted(grant: (table: DimensionTable, role: Role) => void, encrypted: boolean): unknown[] {
    const stack = new Stack(new App(), 'Pipeline', { env: CHINA });
    const encryptionKey = encrypted ? Key.fromKeyArn(stack, 'Key', keyArn) : undefined;
    const table = new DimensionTable(stack, 'Users', { tableName: 'user-dim', partitionKey: 'user_id', encryptionKey });
    grant(table, roleIn(stack));
    return statements(stack);
  }

  test('a lookup neither scans nor queries', () => {
    const lookup = {
      Effect: 'Allow',
      Action: ['dynamodb:BatchGetItem', 'dynamodb:DescribeTable', 'dynamodb:GetItem'],
      Resource: arn,
    };

    expect(granted((table, role) => table.grantLookup(role), false)).toEqual([lookup]);
    expect(granted((table, role) => table.grantLookup(role), true)).toEqual([
      lookup,
      { Effect: 'Allow', Action: ['kms:Decrypt', 'kms:DescribeKey'], Resource: keyArn },
    ]);
  });

  test('writing neither reads items nor changes the table', () => {
    const write = {
      Effect: 'Allow',
      Action: ['dynamodb:BatchWriteItem', 'dynamodb:DeleteItem', 'dynamodb:DescribeTable', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      Resource: arn,
    };

    expect(granted((table, role) => table.grantWrite(role), false)).toEqual([write]);
    expect(granted((table, role) => table.grantWrite(role), true)).toEqual([
      write,
      {
        Effect: 'Allow',
        Action: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
        Resource: keyArn,
      },
    ]);
  });

  test('in another stack change only the stack of the role', () => {
    const app = new App();
    const owner = new Stack(app, 'Owner', { env: CHINA });
    const user = new Stack(app, 'User', { env: CHINA });
    const encryptionKey = new Key(owner, 'Key');
    const table = new DimensionTable(owner, 'Users', { partitionKey: 'user_id', encryptionKey });
    table.grantLookup(roleIn(user));

    expect(() => app.synth()).not.toThrow();
    expect(owner.dependencies).toEqual([]);
    expect(statements(user)).toHaveLength(2);
  });
});

test('metrics are of the table, where it lives', () => {
  const stack = new Stack(new App(), 'Pipeline', { env: CHINA });
  const table = new DimensionTable(stack, 'Users', { tableName: 'user-dim', partitionKey: 'user_id' });
  const dimensions = { TableName: 'user-dim' };
  const seen = [
    table.metric('ReturnedItemCount'),
    table.metricReadThrottleEvents(),
    table.metricWriteThrottleEvents(),
    table.metricConsumedReadCapacityUnits(),
    table.metricConsumedWriteCapacityUnits(),
    table.metricSystemErrors(Operation.GET_ITEM),
    table.metricSuccessfulRequestLatency(Operation.BATCH_GET_ITEM, { statistic: 'p99' }),
  ].map((metric) => [metric.metricName, metric.statistic, metric.dimensions]);

  expect(seen).toEqual([
    ['ReturnedItemCount', 'Sum', dimensions],
    ['ReadThrottleEvents', 'Sum', dimensions],
    ['WriteThrottleEvents', 'Sum', dimensions],
    ['ConsumedReadCapacityUnits', 'Sum', dimensions],
    ['ConsumedWriteCapacityUnits', 'Sum', dimensions],
    ['SystemErrors', 'Sum', { ...dimensions, Operation: 'GetItem' }],
    ['SuccessfulRequestLatency', 'p99', { ...dimensions, Operation: 'BatchGetItem' }],
  ]);
  expect(table.metric('ReturnedItemCount')).toMatchObject({ namespace: 'AWS/DynamoDB', region: 'cn-north-1' });
});

describe('an existing table', () => {
  const tableArn = 'arn:aws-us-gov:dynamodb:us-gov-west-1:210987654321:table/users';
  const key = { partitionKey: 'user_id', sortKey: 'valid_from' };

  test('of this program', () => {
    const stack = new Stack();
    const encryptionKey = new Key(stack, 'Key');
    const attribute = { name: 'user_id', type: AttributeType.STRING };
    const old = new Table(stack, 'Old', { partitionKey: attribute, encryptionKey });
    const current = new TableV2(stack, 'Current', { partitionKey: attribute });

    expect(DimensionTable.fromTable(old, key)).toMatchObject({ tableArn: old.tableArn, encryptionKey, ...key });
    expect(DimensionTable.fromTable(old, key).dependable).toBe(old);
    expect(DimensionTable.fromTable(current, key).dependable).toBe(current);
    expect(DimensionTable.fromTable(TableV2.fromTableName(stack, 'Import', 'users'), key).dependable).toBeUndefined();
  });

  test('of another program', () => {
    const stack = new Stack(new App(), 'Pipeline', { env: CHINA });
    const encryptionKey = Key.fromKeyArn(stack, 'Key', 'arn:aws-us-gov:kms:us-gov-west-1:210987654321:key/k');
    const table = DimensionTable.fromTableAttributes(stack, 'Users', { tableArn, ...key, encryptionKey });
    table.grantLookup(roleIn(stack));

    expect(table).toMatchObject({ tableArn, tableName: 'users', region: 'us-gov-west-1', ...key, encryptionKey });
    expect(table.dependable).toBeUndefined();
    expect(table.metricReadThrottleEvents()).toMatchObject({ region: 'us-gov-west-1', account: '210987654321' });
    expect(statements(stack)).toEqual([
      expect.objectContaining({ Resource: tableArn }),
      expect.objectContaining({ Resource: encryptionKey.keyArn }),
    ]);
  });

  test('may have an ARN that is a token', () => {
    const stack = new Stack();
    const parameter = new CfnParameter(stack, 'Arn');
    const table = DimensionTable.fromTableAttributes(stack, 'Users', { tableArn: parameter.valueAsString, ...key });

    expect(stack.resolve(table.tableArn)).toEqual({ Ref: 'Arn' });
    expect(stack.resolve(table.region)).toEqual({ 'Fn::Select': [3, { 'Fn::Split': [':', { Ref: 'Arn' }] }] });
  });

  test('needs no stack when it is external, but a literal ARN', () => {
    expect(DimensionTable.external({ tableArn, ...key })).toMatchObject({ tableArn, tableName: 'users', ...key });
    expect(() => DimensionTable.external({ tableArn: Aws.STACK_ID, ...key })).toThrow(
      'tableArn of an external resource must be a literal ARN, got a token; use DimensionTable.fromTableAttributes',
    );
    expect(() => DimensionTable.external({ tableArn: 'users', ...key })).toThrow(
      "tableArn must look like 'arn:<partition>:dynamodb:<region>:<account>:table/<name>', got 'users'",
    );
    expect(() => DimensionTable.external({ tableArn, partitionKey: 'a', sortKey: 'a' })).toThrow(
      'sortKey must be another attribute than partitionKey',
    );
  });
});
