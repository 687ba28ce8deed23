import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import cases from './cases.json';
import departures from './departures.json';
import notOurs from './not-ours.json';

/** A trap that people fell into. */
export interface Case {
  /** What it costs who falls into it: `critical` is silent loss, wrong results or lost state. */
  readonly severity: string;
  /** What it is, in a few words. */
  readonly title: string;
}

/** Why a construct library cannot keep people out of a trap, and what they can do. */
export interface NotOurs {
  readonly reason: string;
  readonly instead: string;
}

export const CASES: { readonly [id: string]: Case } = cases;

export const NOT_OURS: { readonly [id: string]: NotOurs } = notOurs;

/** Where the engine behaves otherwise than people told, by case. */
export const DEPARTURES: { readonly [id: string]: string } = departures;

/** The ids that a test or a group of tests begins with: `describe('UK-01, UK-02 …')`. */
const NAMED = /\b(?:describe|test)(?:\.each[^'"`]*?)?\(\s*['"`]((?:[A-Z][A-Z0-9]-\d\d(?:, )?)+)/g;

/** Tests that do not run, and so show nothing. */
const SKIPPED = /\b(?:describe|test|it)\.(?:skip|todo|failing)\b/;

function testFiles(): [file: string, text: string][] {
  return readdirSync(__dirname)
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(join(__dirname, file), 'utf8')]);
}

/** Files with tests that are skipped, or only meant to be written. */
export function filesWithSkippedTests(): string[] {
  return testFiles()
    .filter(([, text]) => SKIPPED.test(text))
    .map(([file]) => file);
}

/** Ids of the cases that have a test in this directory. */
export function testedCases(): string[] {
  const names = testFiles().flatMap(([, text]) => [...text.matchAll(NAMED)].map((match) => match[1]!));
  return [...new Set(names.flatMap((name) => name.match(/[A-Z][A-Z0-9]-\d\d/g) ?? []))].sort();
}
