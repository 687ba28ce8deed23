/** Touches what most programs touch, so that the classes of it stand in the archive. */
export const TRAINING_PROGRAM = `
SET 'table.exec.source.idle-timeout' = '1 min';
CREATE TABLE clicks (
  line STRING,
  user_id AS JSON_VALUE(line, '$.user_id'),
  event_time AS COALESCE(TRY_CAST(JSON_VALUE(line, '$.t') AS TIMESTAMP(3)), TIMESTAMP '1970-01-01 00:00:00.000'),
  proc_time AS PROCTIME(),
  WATERMARK FOR event_time AS event_time - INTERVAL '5' SECOND
) WITH ('connector' = 'kinesis', 'stream.arn' = 'arn:aws:kinesis:us-east-1:111122223333:stream/s', 'aws.region' = 'us-east-1', 'format' = 'raw');
CREATE TABLE orders (order_id STRING NOT NULL, user_id STRING, amount DECIMAL(18, 2), PRIMARY KEY (order_id) NOT ENFORCED)
WITH ('connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'properties.group.id' = 'g',
  'scan.startup.mode' = 'earliest-offset', 'value.format' = 'debezium-json');
CREATE TABLE users (user_id STRING NOT NULL, level STRING, PRIMARY KEY (user_id) NOT ENFORCED)
WITH ('connector' = 'dynamodb-lookup', 'table-name' = 't', 'aws.region' = 'us-east-1');
CREATE TABLE documents (user_id STRING, level STRING, event_time TIMESTAMP(3), PRIMARY KEY (user_id) NOT ENFORCED)
WITH ('connector' = 'elasticsearch-7', 'hosts' = 'http://h:9200', 'index' = 'i');
CREATE TABLE latest (user_id STRING, event_time TIMESTAMP(3), PRIMARY KEY (user_id) NOT ENFORCED)
WITH ('connector' = 'mongodb', 'uri' = 'mongodb://h:27017', 'database' = 'd', 'collection' = 'c');
CREATE TABLE counts (user_id STRING, window_time TIMESTAMP(3), clicks BIGINT, PRIMARY KEY (user_id, window_time) NOT ENFORCED)
WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://h:3306/d', 'table-name' = 't');
CREATE TABLE totals (user_id STRING, orders BIGINT, amount DECIMAL(38, 2), PRIMARY KEY (user_id) NOT ENFORCED)
WITH ('connector' = 'upsert-kafka', 'topic' = 'u', 'properties.bootstrap.servers' = 'b:9092', 'key.format' = 'json', 'value.format' = 'json');
CREATE TABLE archive (line STRING) WITH ('connector' = 'firehose', 'delivery-stream' = 's', 'aws.region' = 'us-east-1', 'format' = 'raw');
CREATE TEMPORARY VIEW events AS SELECT * FROM clicks WHERE line IS JSON OBJECT AND user_id IS NOT NULL;
EXECUTE STATEMENT SET BEGIN
INSERT INTO documents SELECT e.user_id, u.level, e.event_time FROM events AS e
  LEFT JOIN users FOR SYSTEM_TIME AS OF e.proc_time AS u ON e.user_id = u.user_id;
INSERT INTO latest SELECT user_id, event_time FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY event_time DESC) AS n FROM events) WHERE n = 1;
INSERT INTO counts SELECT user_id, window_start, COUNT(DISTINCT line)
  FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(event_time), INTERVAL '1' MINUTE)) GROUP BY user_id, window_start, window_end;
INSERT INTO totals SELECT user_id, COUNT(*), SUM(amount) FROM orders GROUP BY user_id;
INSERT INTO archive SELECT line FROM clicks WHERE NOT (line IS JSON OBJECT);
END;
`;
