import { Duration } from 'aws-cdk-lib';
import { Artifact, Column, DataGenField, DataGenSource, DataType, PrintSink, SqlProgram, Watermark } from '../lib';

export function program(): SqlProgram {
  const program = new SqlProgram();
  const clicks = program.addTable('clicks', {
    connector: new DataGenSource({ rowsPerSecond: 10, fields: { page: DataGenField.random({ length: 3 }) } }),
    columns: [
      Column.physical('page', DataType.STRING),
      Column.physical('clicked_at', DataType.timestamp(3)),
      Column.computed('proc_time', 'PROCTIME()'),
    ],
    watermark: Watermark.delayed('clicked_at', Duration.seconds(5)),
  });
  const normalize = program.addFunction('normalize', {
    className: 'com.example.Normalize',
    jar: Artifact.file('jars/functions.jar'),
  });
  const pages = program.addView('pages', `SELECT ${normalize}(page) AS page, clicked_at FROM ${clicks}`);
  const printed = program.addTable('printed', {
    connector: new PrintSink(),
    columns: [Column.physical('page', DataType.STRING), Column.physical('clicks', DataType.BIGINT)],
  });
  program.addInsert(printed, `SELECT page, COUNT(*) FROM ${pages} GROUP BY page`);
  program.set('table.exec.mini-batch.enabled', 'true');
  program.set('table.exec.mini-batch.allow-latency', '1 s');
  program.set('table.exec.mini-batch.size', '1000');
  console.log(program.toSql());
  return program;
}

export function types(): Column[] {
  const columns = [
    Column.physical('id', DataType.BIGINT.notNull()),
    Column.physical('price', DataType.decimal(18, 2)),
    Column.physical('tags', DataType.array(DataType.STRING)),
    Column.physical('address', DataType.row({ name: 'city', type: DataType.STRING }, { name: 'zip', type: DataType.varchar(10) })),
    Column.metadata('written_at', DataType.timestampLtz(3), { from: 'timestamp', virtual: true }),
    Column.computed('total', 'price * 1.19', { comment: 'with tax' }),
  ];
  return columns;
}
