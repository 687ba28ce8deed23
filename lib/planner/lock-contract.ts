import type { FoundTable } from './find-programs';
import { typeChange } from './lock-types';
import type { PlannedColumn, PlannedTable } from './plan-report';

/** What others rely on: who reads what the job writes, and what the job relies on in what others write. */
export interface TableContract {
  readonly connector: string;
  readonly role: 'source' | 'sink' | 'lookup';
  readonly columns: PlannedColumn[];
  /** Its columns in the order of the key. */
  readonly primaryKey: string[];
  /** Options that say where the rows are, and what a reader sees of them and when. */
  readonly options: { readonly [option: string]: string };
  /** Shards or partitions. */
  readonly splits?: number;
  /** What the connector promises: formats, the key of records, what a delete looks like. */
  readonly promises: { readonly [name: string]: string };
}

/** A difference between two contracts. */
export interface ContractChange {
  readonly table: string;
  readonly message: string;
  readonly compatible: boolean;
}

/** No other system sees what these connectors do. */
const NOBODY_ELSE = /^(print|blackhole|datagen)$/;

const CONTRACT_OPTIONS =
  /^(topic|topic-pattern|stream\.arn|delivery-stream|table-name|index|database|collection|path|properties\.isolation\.level|sink\.transactional-id-prefix|(key\.|value\.)?fields-(prefix|include)|url|uri|hosts|((key|value)\.)?format|((key|value)\.)?(csv|raw|json|debezium-json|avro-confluent)\.(?!ignore-parse-errors|fail-on-missing-field|basic-auth).+)$/;

/** How much each guarantee promises. */
const GUARANTEES = ['none', 'at-least-once', 'exactly-once'];

/** The contracts of the tables of a program. */
export function tableContracts(tables: PlannedTable[], found: FoundTable[]): { [table: string]: TableContract } {
  const contracts = tables.flatMap(({ name, connector, columns, primaryKey, options }) => {
    const described = found.find((table) => table.name === name);
    if (described === undefined || connector === undefined || NOBODY_ELSE.test(connector)) {
      return [];
    }
    const { role, splits, contract = [] } = described;
    const kept = Object.entries(options).filter(([option]) => CONTRACT_OPTIONS.test(option));
    const promises = contract.map((line) => /^(.*?)(?:: (.*))?$/.exec(line)!.slice(1));
    return [
      [
        name,
        {
          connector,
          role,
          columns,
          primaryKey,
          options: Object.fromEntries(kept),
          ...(splits === undefined ? {} : { splits }),
          promises: Object.fromEntries(
            promises.filter(([promise]) => promise !== 'partitions').map(([promise, text = '']) => [promise, text]),
          ),
        },
      ],
    ];
  });
  return Object.fromEntries(contracts);
}

/** All that differs between the contracts of two programs. */
export function contractChanges(
  before: { readonly [table: string]: TableContract },
  after: { readonly [table: string]: TableContract },
): ContractChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((table) => {
    const [old, now] = [before[table], after[table]];
    if (old === undefined) {
      return [{ table, message: `${now!.role} added`, compatible: true }];
    }
    if (now === undefined) {
      return [{ table, message: `${old.role} removed`, compatible: old.role !== 'sink' }];
    }
    return [
      ...placeChanges(old, now),
      ...keyChanges(old, now),
      ...promiseChanges(old, now),
      ...splitChanges(old, now),
      ...columnChanges(old, now),
    ].map((change) => ({ table, ...change }));
  });
}

type Change = Omit<ContractChange, 'table'>;

function incompatible(message: string): Change {
  return { message, compatible: false };
}

function compatible(message: string): Change {
  return { message, compatible: true };
}

function placeChanges(before: TableContract, after: TableContract): Change[] {
  const simple = (['connector', 'role'] as const)
    .filter((name) => before[name] !== after[name])
    .map((name) => incompatible(`${name} changed from ${before[name]} to ${after[name]}`));
  const options = differences(before.options, after.options).map(({ name, from, to }) => {
    const message = `option '${name}' changed from ${from ?? 'unset'} to ${to ?? 'unset'}`;
    if (name === 'properties.isolation.level' && to === 'read_committed') {
      return compatible(`${message}: rows are read once their transaction is committed`);
    }
    return incompatible(message);
  });
  return [...simple, ...options];
}

function keyChanges(before: TableContract, after: TableContract): Change[] {
  const [from, to] = [before.primaryKey, after.primaryKey];
  if (JSON.stringify(from) === JSON.stringify(to)) {
    return [];
  }
  const text = `from (${from.join(', ')}) to (${to.join(', ')})`;
  return [
    incompatible(JSON.stringify([...from].sort()) === JSON.stringify([...to].sort()) ? `key order changed ${text}` : `key changed ${text}`),
  ];
}

function promiseChanges(before: TableContract, after: TableContract): Change[] {
  return differences(before.promises, after.promises).map(({ name, from, to }) => {
    const message =
      from === undefined || to === undefined
        ? `${[name, from ?? to].filter(Boolean).join(': ')}: ${from === undefined ? 'added' : 'removed'}`
        : `${name} changed from '${from}' to '${to}'`;
    return name === 'guarantee' && rank(to) > rank(from) ? compatible(`${message}: stronger`) : incompatible(message);
  });
}

function rank(guarantee: string | undefined): number {
  return GUARANTEES.findIndex((name) => guarantee?.startsWith(name));
}

function splitChanges({ connector, splits: from, promises }: TableContract, { splits: to }: TableContract): Change[] {
  if (from === to) {
    return [];
  }
  const unit = connector === 'kinesis' ? 'shard' : 'partition';
  const message = `${unit} count changed from ${from ?? 'unknown'} to ${to ?? 'unknown'}`;
  if (from !== undefined && to !== undefined && unit === 'shard' && (to > 2 * from || 2 * to < from)) {
    return [incompatible(`${message}: Kinesis takes at most double or half in one update, so deploy in steps`)];
  }
  if (from !== undefined && to !== undefined && unit === 'partition' && to < from) {
    return [incompatible(`${message}: Kafka cannot take partitions away`)];
  }
  const keyed = promises['record key'] !== undefined && promises['record key'] !== 'none';
  return [
    keyed
      ? incompatible(`${message}: new records of a key go to another partition than its old ones, and overtake them`)
      : compatible(message),
  ];
}

/** Who writes may promise nothing else; who reads may take more than before. */
function columnChanges(before: TableContract, after: TableContract): Change[] {
  const written = after.role === 'sink';
  if (byPosition(before) && !sameBeginning(before.columns, after.columns)) {
    return [incompatible('column order changed, and the format knows columns by their place')];
  }
  const types = (columns: PlannedColumn[]) => Object.fromEntries(columns.map(({ name, type }) => [name, type]));
  return differences(types(before.columns), types(after.columns)).flatMap(({ name, from, to }) => {
    if (to === undefined) {
      return [written ? incompatible(`column '${name}' removed`) : compatible(`column '${name}' removed: it is read no more`)];
    }
    if (from === undefined) {
      return [
        !written && to.endsWith(' NOT NULL')
          ? incompatible(`column '${name}' added NOT NULL: rows written before do not have it`)
          : compatible(`column '${name}' added`),
      ];
    }
    return typeChange(from, to).map(({ kind, wider }) =>
      (wider && !written ? compatible : incompatible)(`column '${name}': ${kind} (${from} to ${to})`),
    );
  });
}

function byPosition({ options }: TableContract): boolean {
  return [options.format, options['value.format']].some((format) => format === 'csv' || format === 'avro');
}

function sameBeginning(before: PlannedColumn[], after: PlannedColumn[]): boolean {
  return before.every(({ name }, index) => after[index]?.name === name);
}

interface Difference {
  readonly name: string;
  readonly from?: string;
  readonly to?: string;
}

function differences(before: { readonly [name: string]: string }, after: { readonly [name: string]: string }): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ name, from: before[name], to: after[name] }));
}
