export { CheckpointStorage } from './application/checkpoint-storage';
export { type Checkpointing, CheckpointingMode, CheckpointRetention } from './application/checkpointing';
export type { DerivedValue } from './application/derived-value';
export { FlinkApplication, type FlinkApplicationProps } from './application/flink-application';
export { FlinkArchitecture } from './application/flink-architecture';
export { FlinkImage, type FlinkImageBuildProps } from './application/flink-image';
export { FlinkOperatorVersion } from './application/flink-operator-version';
export type { FlinkSettings } from './application/flink-settings';
export { FlinkVersion } from './application/flink-version';
export type { PodSettings, SecretMount, Toleration } from './application/pod-settings';
export type { ProcessResources } from './application/process-resources';
export { type ExponentialDelayOptions, type FailureRateOptions, RestartStrategy } from './application/restart-strategy';
export { type HashMapStateBackendOptions, type RocksDbStateBackendOptions, StateBackend } from './application/state-backend';
export { JobState, SavepointFormat, UpgradeMode, UpsertMaterialize } from './application/upgrade';
export {
  ArchiveDeliveryStream,
  type ArchiveDeliveryStreamAttributes,
  type ArchiveDeliveryStreamProps,
  type IArchiveDeliveryStream,
} from './aws/archive-delivery-stream';
export {
  DimensionTable,
  type DimensionTableAttributes,
  type DimensionTableKey,
  type DimensionTableProps,
  type IDimensionTable,
} from './aws/dimension-table';
export {
  EventStream,
  type EventStreamAttributes,
  type EventStreamOptions,
  type EventStreamProps,
  type IEventStream,
} from './aws/event-stream';
export type { StreamCapacityProps, StreamLoad } from './aws/stream-capacity';
export { BackOff, type BackOffOptions } from './connectors/back-off';
export { BlackholeSink } from './connectors/blackhole-sink';
export type { BufferFlush } from './connectors/buffer-flush';
export type { BulkFlush } from './connectors/bulk-flush';
export { Credentials } from './connectors/credentials';
export { CustomConnector, type CustomConnectorProps } from './connectors/custom-connector';
export { DataGenField, type RandomFieldOptions } from './connectors/data-gen-field';
export { DataGenSource, type DataGenSourceProps } from './connectors/data-gen-source';
export { DynamoDbLookup, type DynamoDbLookupProps } from './connectors/dynamo-db-lookup';
export { DynamoDbSink, type DynamoDbSinkProps } from './connectors/dynamo-db-sink';
export { ElasticsearchSink, type ElasticsearchSinkProps } from './connectors/elasticsearch-sink';
export {
  type FileCompaction,
  type FileRolling,
  FileSystemSink,
  type FileSystemSinkProps,
  type PartitionCommit,
  PartitionCommitTrigger,
} from './connectors/file-system-sink';
export { FirehoseSink, type FirehoseSinkProps } from './connectors/firehose-sink';
export {
  type AvroConfluentFormatOptions,
  type CsvFormatOptions,
  type DebeziumJsonFormatOptions,
  Endianness,
  Format,
  type JsonFormatOptions,
  MalformedRecords,
  type RawFormatOptions,
  type SchemaRegistryCredentials,
  TimestampFormat,
} from './connectors/format';
export { IsolationLevel } from './connectors/isolation-level';
export { JarProgram, type JarProgramProps } from './connectors/jar-program';
export { JdbcDriver } from './connectors/jdbc-driver';
export { JdbcLookup, type JdbcLookupProps } from './connectors/jdbc-lookup';
export { JdbcSink, type JdbcSinkProps } from './connectors/jdbc-sink';
export type { JdbcTableProps } from './connectors/jdbc-table';
export type { KafkaKey } from './connectors/kafka-key';
export { KafkaPartitioner } from './connectors/kafka-partitioner';
export type { KafkaReaderProps } from './connectors/kafka-reader';
export { KafkaSink, type KafkaSinkProps } from './connectors/kafka-sink';
export { KafkaSource, type KafkaSourceProps } from './connectors/kafka-source';
export { type GroupOffsetsOptions, KafkaStart, OffsetReset } from './connectors/kafka-start';
export { type KafkaWriterProps, TransactionNaming } from './connectors/kafka-writer';
export { KinesisPartitioner, KinesisSink, type KinesisSinkProps } from './connectors/kinesis-sink';
export { type EnhancedFanOut, EnhancedFanOutLifecycle, KinesisSource, type KinesisSourceProps } from './connectors/kinesis-source';
export { LookupCache, type PartialLookupCacheOptions } from './connectors/lookup-cache';
export { MongoDbSink, type MongoDbSinkProps } from './connectors/mongo-db-sink';
export { type MongoDbSeedList, MongoDbUri } from './connectors/mongo-db-uri';
export { PrintSink, type PrintSinkProps } from './connectors/print-sink';
export { StartPosition } from './connectors/start-position';
export { type UpsertBufferFlush, UpsertKafkaSink, type UpsertKafkaSinkProps } from './connectors/upsert-kafka-sink';
export { UpsertKafkaSource, type UpsertKafkaSourceProps } from './connectors/upsert-kafka-source';
export { FlinkJob, type FlinkJobProps } from './job/flink-job';
export { JobIdentity } from './job/job-identity';
export { CompactedTopic, type CompactedTopicProps } from './kafka/compacted-topic';
export {
  KafkaAuthentication,
  type KafkaClientSettings,
  type KafkaCredentials,
  type KafkaStore,
  KafkaStoreType,
  type KafkaTlsProps,
  ScramMechanism,
} from './kafka/kafka-authentication';
export {
  KafkaCluster,
  type KafkaClusterProps,
  type MskClusterProps,
  MskClusterType,
  type SelfManagedClusterProps,
  type StrimziClusterProps,
} from './kafka/kafka-cluster';
export { type IKafkaTopic, KafkaTopic, type KafkaTopicAttributes, type KafkaTopicProps } from './kafka/kafka-topic';
export type { KafkaTopicBaseProps } from './kafka/topic-base';
export { CleanupPolicy } from './kafka/topic-configuration';
export { ExternalSecretStore } from './kubernetes/external-secret-store';
export { FlinkChart, type FlinkChartProps } from './kubernetes/flink-chart';
export { FlinkJobMonitoring, type FlinkJobMonitoringProps } from './monitoring/flink-job-monitoring';
export { PrometheusMonitoring, type PrometheusMonitoringProps } from './monitoring/prometheus-monitoring';
export {
  type ChangeRowsProps,
  type KeyedRowsProps,
  type MinuteTotalsProps,
  type SaltedTotalsProps,
  SqlQueries,
} from './operations/sql-queries';
export { FlinkPlanCheck, type FlinkPlanCheckProps } from './planner/flink-plan-check';
export { Artifact } from './sql/artifact';
export { Column, ColumnKind, type ColumnOptions, type MetadataColumnOptions } from './sql/column';
export {
  type AccessContext,
  Changes,
  type ConnectorBinding,
  type ConsumerGroup,
  DeliveryGuarantee,
  type IAccess,
  type IConnector,
  type SinkBinding,
  type SourceBinding,
  type Splits,
  type TableAlarm,
  type TableDefinition,
  TableRole,
  type Transactions,
} from './sql/connector';
export { DataType, DataTypeRoot, type RowField } from './sql/data-type';
export { Program } from './sql/program';
export { SecretRef } from './sql/secret-ref';
export { type InsertOptions, SqlFunction, type SqlFunctionProps, SqlProgram, SqlView } from './sql/sql-program';
export { type ISqlObject, SqlTable, type SqlTableProps } from './sql/sql-table';
export { Watermark } from './sql/watermark';
export { DeploymentTarget, type EksTargetProps, type ManifestsTargetProps } from './target/deployment-target';
