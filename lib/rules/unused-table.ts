import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

/** A table that no statement uses. */
export const unusedTable: Rule = {
  name: 'UnusedTable',
  level: 'warning',
  looksAt: 'the tables of the program and its statements',
  description: 'No INSERT of the program reads or writes the table.',
  why: 'It gets no permission and no connector jar, and is left out of the script of the job; most often a statement was forgotten.',
  cure: 'Remove the table, or use it.',
  check: (application) => {
    const { program } = application;
    if (!(program instanceof SqlProgram)) {
      return [];
    }
    const used = new Set(program._usedTables());
    return program
      ._tables()
      .filter((table) => !used.has(table))
      .map((table) => ({
        table: table.name,
        message: `table '${table.name}' of job '${application.jobName}' is used by no INSERT: the job gets no permission and no connector for it; remove it, or use it`,
      }));
  },
};
