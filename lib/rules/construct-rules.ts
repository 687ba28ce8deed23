import type { RuleEntry } from './rule';

/**
 * Warnings that are given where a construct is made, since they need no more than its props: the documentation tells of them beside the
 * rules.
 */
export const JOB_ENTRIES: RuleEntry[] = [
  {
    name: 'ServiceAccountRole',
    level: 'warning',
    looksAt: 'the service account, the identity and the role of the job',
    description: '`serviceAccountName` names an existing service account, with `JobIdentity.irsa()` and without a `role`.',
    why: "The job makes a role, but the annotation by which a service account names its role is not the job's to write. The pods run without permissions.",
    cure: 'Set the annotation `eks.amazonaws.com/role-arn` of the account to `job.role.roleArn`, and acknowledge this; or give the job the `role` that the account has, or leave `serviceAccountName` out.',
  },
];

/** Those of the monitoring of a job. */
export const MONITORING_ENTRIES: RuleEntry[] = [
  {
    name: 'AlarmRegion',
    level: 'warning',
    looksAt: 'the region of the resources behind the tables, and that of the stack of the monitoring',
    description: 'A stream or table is in another region than the stack.',
    why: 'An alarm watches metrics of its own region: there is no alarm on that resource.',
    cure: 'Make alarms of its metrics in a stack of that region, and acknowledge this.',
  },
  {
    name: 'AlarmTopicKey',
    level: 'warning',
    looksAt: 'the key of `alarmTopic`',
    description: 'The topic is encrypted with an imported customer key, to whose policy nothing can be added.',
    why: 'CloudWatch publishes with the permissions of the key policy. Where that does not name it the alarm goes off, and nobody is told.',
    cure: 'Let `cloudwatch.amazonaws.com` use the key: `kms:Decrypt` and `kms:GenerateDataKey*`, with the condition `aws:SourceAccount`. Then acknowledge this.',
  },
  {
    name: 'UnusedAlarmTopic',
    level: 'warning',
    looksAt: '`alarmTopic`, and the tables of the job',
    description: 'None of the tables has a CloudWatch alarm: they are in no service of AWS (Kafka, JDBC, Elasticsearch, MongoDB).',
    why: 'The topic is never told of anything, whatever happens to the job.',
    cure: "Have Prometheus' Alertmanager tell people, and leave `alarmTopic` out; or acknowledge this. With `prometheus: false` as well it is an error: nothing would watch the job.",
  },
];

/** Those of streams and tables in AWS. */
export const STREAM_ENTRIES: RuleEntry[] = [
  {
    name: 'SmallObjects',
    level: 'warning',
    looksAt: 'the buffering of an archive',
    description: '`bufferingInterval` is below 128 seconds, and `bufferingSize` below 64 MiB.',
    why: 'At little load these are thousands of small objects a day: slow and dear to query.',
    cure: 'Leave `bufferingInterval` out, which is 300 seconds then. Acknowledge it where records must be there at once.',
  },
];

/** Those of a topic. */
export const TOPIC_ENTRIES: RuleEntry[] = [
  {
    name: 'TopicDurability',
    level: 'warning',
    looksAt: 'in-sync copies and settings of a topic',
    description:
      '`minInSyncReplicas` is 1 with two copies or more, as it is by default with two, or `config` sets `unclean.leader.election.enable` to `true`.',
    why: 'When a broker fails, records that it had confirmed are gone: those that only it had, since the other copies had fallen behind, or those that the copy which leads instead never got. The job that wrote them does not learn of it.',
    cure: 'Leave both out, and give the topic three copies: `replicationFactor: 3`. Acknowledge it where writers must go on at any price, or the cluster has two brokers.',
  },
  {
    name: 'TombstoneRetention',
    level: 'warning',
    looksAt: '`tombstoneRetention` of a compacted topic, `delete.retention.ms` of one with the policy `compact,delete`',
    description: 'A compacted topic forgets deleted keys after less than 24 hours.',
    why: 'A reader that was away for longer never learns that a key is gone, and keeps it for ever.',
    cure: 'Raise it, or leave it out.',
  },
  {
    name: 'TopicReplication',
    level: 'warning',
    looksAt: 'copies and in-sync copies of a topic',
    description: '`minInSyncReplicas` equals `replicationFactor`.',
    why: 'The restart of one broker blocks all writers of its partitions. Where there is one copy only, readers too, and the records are lost with the disk.',
    cure: 'Raise `replicationFactor`, or lower `minInSyncReplicas`. Acknowledge it in a test cluster of one broker.',
  },
];
