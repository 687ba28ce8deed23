import { App, Duration, Size, Stack } from 'aws-cdk-lib';
import { mkdtempSync, rmSync, writeSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import {
  CheckpointStorage,
  Column,
  DataType,
  DeploymentTarget,
  FlinkImage,
  FlinkJob,
  Format,
  JdbcSink,
  JdbcDriver,
  KafkaCluster,
} from '../lib';
