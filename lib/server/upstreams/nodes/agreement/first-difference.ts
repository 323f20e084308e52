import { isRecord } from '@/lib/protocol/json-record';

const SHOWN_LENGTH = 66;
const PATH_LENGTH_MAX = 160;

type Path = readonly (string | number)[];

/** Returns the path of the first value that differs; empty for the answer as a whole. */
export function differingPath(a: string, b: string): Path {
  let [left, right]: unknown[] = [JSON.parse(a), JSON.parse(b)];
  const path: (string | number)[] = [];
  for (let step = stepOf(left, right); step !== null; step = stepOf(left, right)) {
    path.push(step);
    [left, right] = [memberOf(left, step), memberOf(right, step)];
  }
  return path;
}

/** Formats a path: `result.logs[3].data`. */
export function pathText(path: Path): string {
  const text = path.reduce<string>(
    (before, step) => before + (typeof step === 'number' ? `[${step}]` : `.${step}`),
    'result',
  );
  return text.length > PATH_LENGTH_MAX ? `${text.slice(0, PATH_LENGTH_MAX)}…` : text;
}

/** Returns the value at a path, shortened for display. */
export function shownAt(answer: string, path: Path): string {
  const value = path.reduce<unknown>(memberOf, JSON.parse(answer));
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const text = JSON.stringify(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function stepOf(left: unknown, right: unknown): string | number | null {
  if (Array.isArray(left) && Array.isArray(right)) {
    const index = left.length === right.length ? left.findIndex((item, i) => !isSame(item, right[i])) : -1;
    return index < 0 ? null : index;
  }
  if (!isRecord(left) || !isRecord(right)) return null;
  return Object.keys({ ...left, ...right }).find((name) => !isSame(left[name], right[name])) ?? null;
}

function memberOf(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
