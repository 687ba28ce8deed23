import { Token } from 'aws-cdk-lib';
import { addressPlace, clusterPlace, hostOf } from '../../lib/rules/job-place';

const place = (kubernetesCluster: string, environment = 'aws://111122223333/eu-west-1') => ({ environment, kubernetesCluster });
const isOneFor = (address: string) => addressPlace(place('test'), address) === addressPlace(place('production'), address);

test.each([
  'kafka:9092',
  'shop-kafka-bootstrap.kafka:9092',
  'shop-kafka-bootstrap.kafka.svc:9092,other.kafka.svc.cluster.local:9092',
  'jdbc:mysql://flink@mysql:3306/shop',
  'http://minio.storage:9000',
  'hdfs://namenode/flink/orders',
  'file:///state',
])('%s is another one in each Kubernetes cluster', (address) => {
  expect(isOneFor(address)).toBe(false);
  expect(addressPlace(place('test'), address)).toBe(addressPlace(place('test'), address));
});

test.each([
  'b-1.shop.abc.c2.kafka.eu-west-1.amazonaws.com:9098',
  'pkc-1.eu-west-1.aws.confluent.cloud:9092',
  '10.0.0.7:9092',
  'kafka-1.internal:9092',
  'jdbc:postgresql://db.example.com/shop?ssl=true',
  'mongodb+srv://shop.example.mongodb.net',
  Token.asString({ Ref: 'Brokers' }),
  // One of them is found from everywhere.
  'kafka:9092,kafka.example.com:9092',
])('%s is one throughout an account and region', (address) => {
  expect(isOneFor(address)).toBe(true);
  expect(addressPlace(place('test'), address)).not.toBe(addressPlace(place('test', 'aws://111122223333/eu-north-1'), address));
});

test('brokers are the same in any order', () => {
  expect(addressPlace(place('test'), 'a:9092,b:9092')).toBe(addressPlace(place('test'), 'b:9092,a:9092'));
  expect(clusterPlace(place('test'), 'brokers:a:9092,b:9092')).not.toBe(clusterPlace(place('production'), 'brokers:a:9092,b:9092'));
  expect(clusterPlace(place('test'), 'arn:aws:kafka:…')).toBe(clusterPlace(place('production'), 'arn:aws:kafka:…'));
});

test('the host of an address', () => {
  expect(hostOf('jdbc:mysql://flink:x@mysql:3306/shop')).toBe('mysql');
  expect(hostOf('file:///state')).toBe('');
  expect(hostOf(' kafka-1:9092')).toBe('kafka-1');
});
