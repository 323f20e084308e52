import { readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './exercise';
import type { Program } from './program';
import type { Route } from './stage';
import { type TaskName, TASKS } from './tasks';

/** Document that contains the table, and the lines around the table. */
export const DOCUMENT = 'docs/agents.md';
const BEGIN = '<!-- npm run agents writes what follows -->';
const END = '<!-- npm run agents wrote what precedes -->';
const COLUMNS: Readonly<Record<TaskName, string>> = {
  prompt: 'prompt',
  conversation: 'conversation',
  tools: 'tool that edits a file',
  image: 'image',
  failure: 'answer that breaks off',
};
/** Names of the routes in the table. */
const PLACES: Readonly<Record<Route, string>> = { gateway: 'gateway', proxy: 'proxy' };
const CELL_CHARACTERS_MAX = 200;
/** Ids of items differ in each run. */
const ITEM_ID = /\b((?:msg|rs|fc)_)[0-9a-f]{16,}/g;

/** Results of a program on one route. */
export interface Exercised {
  program: Program;
  route: Route;
  outcomes: readonly Outcome[];
}

/** Renders a Markdown table with a row for each program and route. */
export function tableOf(exercised: readonly Exercised[]): string {
  const head = ['program', 'version', 'API', 'through', ...TASKS.map((task) => COLUMNS[task])];
  return [lineOf(head), lineOf(head.map(() => '---')), ...exercised.map(rowOf)].join('');
}

function rowOf({ program, route, outcomes }: Exercised): string {
  const [version] = Object.values(program.packages);
  return lineOf([
    program.title,
    version ?? '',
    program.api,
    PLACES[route],
    ...TASKS.map((task) => cellOf(outcomes.find((outcome) => outcome.task === task))),
  ]);
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

function cellOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'not tried';
  const note = outcome.note.replaceAll('|', '\\|').replace(ITEM_ID, '$1…');
  const shown = note.length > CELL_CHARACTERS_MAX ? `…${note.slice(-CELL_CHARACTERS_MAX)}` : note;
  if (outcome.isGood) return shown === '' ? 'works' : shown;
  return `**fails**: ${shown}`;
}

/** Replaces rows in the document's table. @throws Error if the marks are missing */
export function writeTable(exercised: readonly Exercised[]): void {
  writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, 'utf8'), tableOf(exercised)));
}

/**
 * Returns a document with these rows in its table. Keeps the rows of other programs.
 *
 * @throws Error if the marks are missing
 */
export function withTable(document: string, table: string): string {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${DOCUMENT} has no marks for the table.`);
  const rows = new Map<string, string>();
  for (const line of `${document.slice(from, to)}\n${table}`.split('\n').filter((each) => each.startsWith('| ')))
    rows.set(keyOf(line), line);
  return `${document.slice(0, from + BEGIN.length)}\n\n${[...rows.values()].join('\n')}\n\n${document.slice(to)}`;
}

/** Returns the program and route of a row. */
function keyOf(row: string): string {
  const [program, , , route] = row.split(' | ');
  return `${String(program)} ${String(route)}`;
}
