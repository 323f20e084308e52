import { isRecord } from '@/lib/protocol/json-record';
import type { ChainKind } from '@/lib/protocol/networks';
import { hash } from 'node:crypto';
import { feltOf } from '../chain-references';
import { readRpcError } from '../node-error';
import type { ItemAnswer } from '../node-request';
import type { UpstreamNode } from '../upstream-node';

const CANONICAL_BYTES_MAX = 4_194_304;

const lower = (text: string): string => (/^0x[0-9a-fA-F]*$/.test(text) ? text.toLowerCase() : text);
const felt = (text: string): string => (/^0x[0-9a-fA-F]+$/.test(text) ? feltOf(text) : text);
const CANONICAL_STRING: Readonly<Record<ChainKind, (text: string) => string>> = {
  evm: lower,
  starknet: felt,
  solana: (text) => text,
};

/** Nodes that gave the same answer. `answer` comes from the first of these nodes. */
export class AnswerGroup {
  readonly nodes: UpstreamNode[] = [];
  readonly #bytesHash: string;
  #canonicalHash: string | null = null;

  constructor(
    readonly answer: ItemAnswer,
    private readonly kind: ChainKind,
    label: string | null = null,
  ) {
    this.#canonicalHash = label;
    this.#bytesHash = `${answer.kind} ${hash('sha256', valueOf(answer))}`;
  }

  equals(other: AnswerGroup): boolean {
    return this.#bytesHash === other.#bytesHash || this.#canonical() === other.#canonical();
  }

  #canonical(): string {
    return (this.#canonicalHash ??= hash('sha256', canonicalAnswer(this.answer, this.kind) ?? this.#bytesHash));
  }
}

/** Groups several nodes' answers to one question by meaning. */
export class Ballot {
  readonly groups: AnswerGroup[] = [];

  constructor(private readonly kind: ChainKind) {}

  /** @param label text to compare instead of the answer's content; null to compare the content */
  add(answer: ItemAnswer, node: UpstreamNode, label: string | null = null): AnswerGroup {
    const single = new AnswerGroup(answer, this.kind, label);
    let group = this.groups.find((each) => each.equals(single));
    if (!group) this.groups.push((group = single));
    group.nodes.push(node);
    return group;
  }

  get largest(): AnswerGroup | null {
    return this.groups.reduce<AnswerGroup | null>(
      (most, group) => (most === null || group.nodes.length > most.nodes.length ? group : most),
      null,
    );
  }
}

export function valueOf({ bytes, start, end }: ItemAnswer): Buffer {
  return bytes.subarray(start, end);
}

/**
 * Returns a text that is the same for all spellings of an answer; null if answers can only be compared byte by byte.
 */
export function canonicalAnswer(answer: ItemAnswer, kind: ChainKind): string | null {
  if (answer.end - answer.start > CANONICAL_BYTES_MAX) return null;
  if (answer.kind === 'error') return canonicalError(answer);
  const canonical = canonicalJson(valueOf(answer).toString('utf8'), CANONICAL_STRING[kind]);
  return canonical && `result ${canonical}`;
}

/**
 * Returns an error's revert data if there is any, because nodes word reverts differently. Otherwise returns the error's
 * code and message.
 */
function canonicalError(answer: ItemAnswer): string | null {
  const error = readRpcError(valueOf(answer));
  if (error === null) return null;
  const { code, message, data } = error;
  const reverted = typeof data === 'string' ? /^(?:Reverted )?(0x(?:[0-9a-fA-F]{2})+)$/.exec(data)?.[1] : undefined;
  if (reverted !== undefined) return `revert ${reverted.toLowerCase()}`;
  return `error ${code} ${message.trim().replace(/\s+/g, ' ').toLowerCase()}`;
}

const DEPTH_MAX = 1_000;
const EXPONENT_LENGTH_MAX = 6;

class NotCanonical extends Error {}

/**
 * Normalizes a JSON value. Sorts members by name, drops null members and white space, and escapes as few characters as
 * possible. Numbers stay exact.
 * @param text value as valid JSON
 * @param canonicalString normalizes strings and member names
 * @returns null if the value is too deep, or if it has duplicate names, which parsers read differently
 */
export function canonicalJson(text: string, canonicalString: (value: string) => string): string | null {
  try {
    return new Scan(text, canonicalString).value(0);
  } catch (error) {
    if (error instanceof NotCanonical || error instanceof SyntaxError) return null;
    throw error;
  }
}

class Scan {
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly canonicalString: (value: string) => string,
  ) {}

  value(depth: number): string {
    const first = this.#peek();
    if (depth > DEPTH_MAX || first === '') throw new NotCanonical();
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    return first === '"' ? JSON.stringify(this.#string()) : this.#word();
  }

  #object(depth: number): string {
    const members = new Map<string, string>();
    this.#at++;
    while (this.#peek() !== '}') {
      const name = this.#string();
      if (this.#peek() !== ':' || members.has(name)) throw new NotCanonical();
      this.#at++;
      members.set(name, this.value(depth + 1));
      if (this.#peek() === ',') this.#at++;
      else if (this.#peek() !== '}') throw new NotCanonical();
    }
    this.#at++;
    const said = Array.from(members).filter(([, value]) => value !== 'null');
    return `{${said
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
      .join(',')}}`;
  }

  #array(depth: number): string {
    const items: string[] = [];
    this.#at++;
    while (this.#peek() !== ']') {
      items.push(this.value(depth + 1));
      if (this.#peek() === ',') this.#at++;
      else if (this.#peek() !== ']') throw new NotCanonical();
    }
    this.#at++;
    return `[${items.join(',')}]`;
  }

  #string(): string {
    const start = this.#at;
    if (this.text[start] !== '"') throw new NotCanonical();
    let end = this.text.indexOf('"', start + 1);
    while (end > 0 && isEscaped(this.text, end)) end = this.text.indexOf('"', end + 1);
    if (end < 0) throw new NotCanonical();
    this.#at = end + 1;
    const inner = this.text.slice(start + 1, end);
    return this.canonicalString(inner.includes('\\') ? (JSON.parse(this.text.slice(start, end + 1)) as string) : inner);
  }

  #word(): string {
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.text)?.[0];
    if (word === undefined) throw new NotCanonical();
    this.#at += word.length;
    return word === 'true' || word === 'false' || word === 'null' ? word : canonicalNumber(word);
  }

  #peek(): string {
    for (;;) {
      const next = this.text[this.#at];
      if (next !== ' ' && next !== '\n' && next !== '\t' && next !== '\r') return next ?? '';
      this.#at++;
    }
  }
}

const WORD = /[-+.\w]+/y;

function isEscaped(text: string, quoteAt: number): boolean {
  let backslashes = 0;
  while (text[quoteAt - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

/** Writes a number as its digits, without zeros at either end, followed by a power of ten. */
function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === '') throw new NotCanonical();
  if (exponent.length > EXPONENT_LENGTH_MAX) return text;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

const SHOWN_LENGTH = 66;
const PATH_LENGTH_MAX = 160;

type Path = readonly (string | number)[];

/** Returns the path of the first value in which two answers differ; empty if they differ as a whole. */
export function differingPath(a: string, b: string): Path {
  let [left, right]: unknown[] = [JSON.parse(a), JSON.parse(b)];
  const path: (string | number)[] = [];
  for (let step = stepOf(left, right); step !== null; step = stepOf(left, right)) {
    path.push(step);
    [left, right] = [memberOf(left, step), memberOf(right, step)];
  }
  return path;
}

/** Formats a path, for example as `result.logs[3].data`. */
export function pathText(path: Path): string {
  const text = path.reduce<string>(
    (before, step) => before + (typeof step === 'number' ? `[${step}]` : `.${step}`),
    'result',
  );
  return text.length > PATH_LENGTH_MAX ? `${text.slice(0, PATH_LENGTH_MAX)}…` : text;
}

/** Returns the value at a path, shortened so that it can be shown. */
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
