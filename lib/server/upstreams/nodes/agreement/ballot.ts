import { hash } from 'node:crypto';
import type { ChainKind } from '@/lib/protocol/networks';
import { readRpcError } from '../node-error';
import type { ItemAnswer } from '../node-request';
import { feltOf } from '../starknet-references';
import type { UpstreamNode } from '../upstream-node';
import { canonicalJson } from './canonical-json';

const CANONICAL_BYTES_MAX = 4_194_304;

const lower = (text: string): string => (/^0x[0-9a-fA-F]*$/.test(text) ? text.toLowerCase() : text);
const felt = (text: string): string => (/^0x[0-9a-fA-F]+$/.test(text) ? feltOf(text) : text);
const CANONICAL_STRING: Readonly<Record<ChainKind, (text: string) => string>> = {
  evm: lower,
  starknet: felt,
  solana: (text) => text,
};

/** Nodes that gave the same answer. `answer` is that of the first node. */
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

/** Answers of several nodes to one question, grouped by meaning. */
export class Ballot {
  readonly groups: AnswerGroup[] = [];

  constructor(private readonly kind: ChainKind) {}

  /** @param label compared in place of the answer's content */
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

/** Returns the same text for all spellings of an answer; null if only the bytes are comparable. */
export function canonicalAnswer(answer: ItemAnswer, kind: ChainKind): string | null {
  if (answer.end - answer.start > CANONICAL_BYTES_MAX) return null;
  if (answer.kind === 'error') return canonicalError(answer);
  const canonical = canonicalJson(valueOf(answer).toString('utf8'), CANONICAL_STRING[kind]);
  return canonical && `result ${canonical}`;
}

/** Returns an error's revert data, because nodes word reverts differently; otherwise its code and message. */
function canonicalError(answer: ItemAnswer): string | null {
  const error = readRpcError(valueOf(answer));
  if (error === null) return null;
  const { code, message, data } = error;
  const reverted = typeof data === 'string' ? /^(?:Reverted )?(0x(?:[0-9a-fA-F]{2})+)$/.exec(data)?.[1] : undefined;
  if (reverted !== undefined) return `revert ${reverted.toLowerCase()}`;
  return `error ${code} ${message.trim().replace(/\s+/g, ' ').toLowerCase()}`;
}
