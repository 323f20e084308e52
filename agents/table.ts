import { readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './exercise';
import type { Program } from './program';
import type { Route } from './stage';
import { type TaskName, TASKS } from './tasks';

/** The document that has the table, and the lines around it. */
export const DOCUMENT = 'docs/agents.md';
const BEGIN = '<!-- npm run agents writes what follows -->';
const END = '<!-- npm run agents wrote what precedes -->';
const COLUMNS: Readonly<Record<TaskName, string>> = { prompt: 'prompt', conversation: 'conversation', tools: 'tool that edits a file', image: 'image', failure: 'answer that breaks off' };
/** How each route is named to readers. */
const PLACES: Readonly<Record<Route, string>> = { gateway: 'gateway', proxy: 'proxy' };
const CELL_CHARACTERS_MAX = 120;

/** What came of a program on one route. */
export interface Exercised {
  program: Program;
  route: Route;
  outcomes: readonly Outcome[];
}

/** A table in Markdown: a row for each program and route. */
export function tableOf(exercised: readonly Exercised[]): string {
  const head = ['program', 'version', 'API', 'through', ...TASKS.map((task) => COLUMNS[task])];
  const rows = exercised.map(({ program, route, outcomes }) => {
    const [version] = Object.values(program.packages);
    return [program.title, version ?? '', program.api, PLACES[route], ...TASKS.map((task) => cellOf(outcomes.find((outcome) => outcome.task === task)))];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function cellOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'not tried';
  const note = outcome.note.replaceAll('|', '\\|');
  const shown = note.length > CELL_CHARACTERS_MAX ? `…${note.slice(-CELL_CHARACTERS_MAX)}` : note;
  if (outcome.isGood) return shown === '' ? 'works' : shown;
  return `**fails**: ${shown}`;
}

/** Puts the table between the marks of the document. @throws Error where they are missing */
export function writeTable(exercised: readonly Exercised[]): void {
  writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, 'utf8'), tableOf(exercised)));
}

/** A document with this table between its marks. @throws Error where they are missing */
export function withTable(document: string, table: string): string {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${DOCUMENT} has no marks for the table.`);
  return `${document.slice(0, from + BEGIN.length)}\n\n${table}\n${document.slice(to)}`;
}
