SET 'table.exec.sink.keyed-shuffle' = 'FORCE';
SET 'table.exec.source.idle-timeout' = '1 min';
SET 'table.exec.uid.generation' = 'ALWAYS';

-- kinesis_source: source (kinesis)
--   key: none
--   columns: line, event_time, proc_time
--   format: raw
CREATE TABLE `kinesis_source` (
  `line` STRING,
  `event_time` AS COALESCE(
    TRY_CAST(REPLACE(REPLACE(JSON_VALUE(`line`, '$.event_time'), 'T', ' '), 'Z', '') AS TIMESTAMP(3)),
    TIMESTAMP '1970-01-01 00:00:00.000'
  ),
  `proc_time` AS PROCTIME(),
  WATERMARK FOR `event_time` AS `event_time` - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kinesis',
  'stream.arn' = 'arn:aws-cn:kinesis:cn-north-1:111122223333:stream/user-events',
  'aws.region' = 'cn-north-1',
  'source.init.position' = 'LATEST',
  'format' = 'raw'
);

-- dim_users: lookup (dynamodb-lookup)
--   key: user_id
--   columns: user_id, level, region, updated_at
CREATE TABLE `dim_users` (
  `user_id` STRING NOT NULL,
  `level` STRING,
  `region` STRING,
  `updated_at` TIMESTAMP(3),
  PRIMARY KEY (`user_id`) NOT ENFORCED
) WITH (
  'connector' = 'dynamodb-lookup',
  'table-name' = 'user-dim',
  'aws.region' = 'cn-north-1',
  'lookup.cache' = 'PARTIAL',
  'lookup.partial-cache.max-rows' = '10000',
  'lookup.partial-cache.expire-after-write' = '30 min'
);

-- es_sink: sink (elasticsearch-7)
--   key: user_id, event_time
--   columns: user_id, event_time, level, event_type
--   format: json, SQL timestamps
--   document id: user_id _ event_time; an update changes the columns of this table and leaves other fields alone
CREATE TABLE `es_sink` (
  `user_id` STRING NOT NULL,
  `event_time` TIMESTAMP(3) NOT NULL,
  `level` STRING,
  `event_type` STRING,
  PRIMARY KEY (`user_id`, `event_time`) NOT ENFORCED
) WITH (
  'connector' = 'elasticsearch-7',
  'hosts' = 'http://es-node-1:9200;http://es-node-2:9200',
  'index' = 'user-events',
  'document-id.key-delimiter' = '_',
  'format' = 'json',
  'sink.bulk-flush.max-actions' = '1000',
  'sink.bulk-flush.max-size' = '5 mb',
  'sink.bulk-flush.interval' = '2 s',
  'sink.bulk-flush.backoff.strategy' = 'EXPONENTIAL',
  'sink.bulk-flush.backoff.max-retries' = '8',
  'sink.bulk-flush.backoff.delay' = '1 s'
);

-- mongo_sink: sink (mongodb)
--   key: user_id
--   columns: user_id, event_type, event_time
--   _id: user_id
CREATE TABLE `mongo_sink` (
  `user_id` STRING NOT NULL,
  `event_type` STRING,
  `event_time` TIMESTAMP(3),
  PRIMARY KEY (`user_id`) NOT ENFORCED
) WITH (
  'connector' = 'mongodb',
  'uri' = 'mongodb://mongo-1:27017,mongo-2:27017/?replicaSet=rs&w=1',
  'database' = 'app_analytics',
  'collection' = 'user_last_events'
);

-- jdbc_sink: sink (jdbc)
--   key: user_id, window_time
--   columns: user_id, window_time, event_count
--   upserts by user_id, window_time, which must be the primary key in MySQL
CREATE TABLE `jdbc_sink` (
  `user_id` STRING NOT NULL,
  `window_time` TIMESTAMP(3) NOT NULL,
  `event_count` BIGINT,
  PRIMARY KEY (`user_id`, `window_time`) NOT ENFORCED
) WITH (
  'connector' = 'jdbc',
  'url' = 'jdbc:mysql://mysql-host:3306/analytics',
  'table-name' = 'user_event_count',
  'username' = 'flink',
  'password' = '${env:SECRET_MYSQL_ANALYTICS_PASSWORD_603A39}',
  'sink.buffer-flush.max-rows' = '1000',
  'sink.buffer-flush.interval' = '5 s',
  'sink.max-retries' = '3'
);

-- firehose_sink: sink (firehose)
--   key: none
--   columns: line
--   format: raw
--   delivery: at least once, in no order
CREATE TABLE `firehose_sink` (
  `line` STRING
) WITH (
  'connector' = 'firehose',
  'delivery-stream' = 'raw-logs-archive',
  'aws.region' = 'cn-north-1',
  'format' = 'raw'
);

CREATE TEMPORARY VIEW `events` AS
SELECT
  JSON_VALUE(`line`, '$.user_id') AS user_id,
  JSON_VALUE(`line`, '$.event_type') AS event_type,
  JSON_VALUE(`line`, '$.page_url') AS page_url,
  event_time,
  proc_time
FROM `kinesis_source`
WHERE `line` IS JSON OBJECT
  AND JSON_VALUE(`line`, '$.user_id') IS NOT NULL
  AND COALESCE(JSON_VALUE(`line`, '$.event_type'), 'raw') <> 'raw'
  AND `event_time` > TIMESTAMP '1970-01-01 00:00:00.000';

EXECUTE STATEMENT SET BEGIN
INSERT INTO `es_sink`
SELECT e.user_id, e.event_time, u.level, e.event_type
FROM `events` AS e LEFT JOIN `dim_users` FOR SYSTEM_TIME AS OF e.proc_time AS u ON e.user_id = u.user_id;
INSERT INTO `mongo_sink`
SELECT user_id, event_type, event_time
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY event_time DESC) AS row_num FROM `events`
)
WHERE row_num = 1;
INSERT INTO `jdbc_sink`
SELECT
  user_id,
  window_start,
  COUNT(DISTINCT CONCAT(CAST(event_time AS STRING), '|', event_type, '|', COALESCE(page_url, '')))
FROM TABLE(TUMBLE(TABLE `events`, DESCRIPTOR(event_time), INTERVAL '1' MINUTE))
GROUP BY user_id, window_start, window_end;
INSERT INTO `firehose_sink`
SELECT `line` FROM `kinesis_source` WHERE NOT (`line` IS JSON OBJECT
  AND JSON_VALUE(`line`, '$.user_id') IS NOT NULL
  AND COALESCE(JSON_VALUE(`line`, '$.event_type'), 'raw') <> 'raw'
  AND `event_time` > TIMESTAMP '1970-01-01 00:00:00.000');
END;
