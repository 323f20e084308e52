import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import { newId } from '../new-id';
import { type AttachedFile, questionText } from './attached-files';

/** A chat as it is kept in this browser. */
export interface Conversation {
  id: string;
  /** Null while it is called by its first question. */
  title: string | null;
  createdAtMs: number;
  updatedAtMs: number;
  modelId: string | null;
  systemPrompt: string;
  /** The JSON schema that answers are held to, as text; empty for none. */
  schemaText: string;
  turns: readonly Turn[];
}

/** A question and what came of it. */
export interface Turn {
  id: string;
  question: string;
  /** Text files that are sent inside the question. Absent for none. */
  files?: readonly AttachedFile[];
  askedAtMs: number;
  /** Null until there is one. */
  answer: Answer | null;
  /** Its earlier versions, oldest first, each with what was said after it. Absent for none. */
  before?: readonly Tail[];
  /** Its later versions. */
  after?: readonly Tail[];
}

/** A question asked another time or in other words, with all that was said after it: never empty, the question first. */
export type Tail = readonly Turn[];

/** How an answer ended: whole, cut by its length, stopped by the person, or broken off. */
export const ANSWER_ENDS = ['whole', 'length', 'stopped', 'broken'] as const;
export type AnswerEnd = (typeof ANSWER_ENDS)[number];

/**
 * What came of checking an enclave's signature over an answer. `none`: the model signs nothing. `attested-after`: by
 * another key than the one attested before the question, which was attested after the answer. `sealed`: it takes none,
 * since only the attested enclave can have encrypted the answer. `sealed-pieces`: the same of each piece of it, not of
 * their order nor that all are there. `unchecked`: nobody
 * answered who could have given it. `unavailable`: there is none.
 */
export const SIGNATURE_STATES = [
  'none',
  'verified',
  'attested-after',
  'sealed',
  'sealed-pieces',
  'failed',
  'unchecked',
  'unavailable',
] as const;
export type SignatureState = (typeof SIGNATURE_STATES)[number];

/** What a signature is asked for with, and checked against, at a later time. */
export interface SignatureClaim {
  completionId: string;
  /** Hex sha256 over the bytes as they were sent and received here. */
  requestHash: string;
  responseHash: string;
  /** Of the key that was attested before the question was sent. */
  attestedAddress: string;
}

export interface Answer {
  text: string;
  end: AnswerEnd;
  /** What went wrong, as a sentence; null where nothing did. */
  problem: string | null;
  /** What exactly, and what to do about it, in sentences. Older answers have none. */
  advice?: readonly string[];
  modelId: string;
  isEncrypted: boolean;
  /** What the attestation came to under which it was asked; null for a model without one. */
  conclusion: AttestationConclusion | null;
  /** `claim` is there while the signature is `unchecked` and can still be asked for; `isRefused` where the gateway answered that it cannot. */
  signature: { state: SignatureState; sentence: string; claim?: SignatureClaim; isRefused?: boolean };
  /** Whether it fits the schema: null where there was none, else what is wrong, empty for nothing. */
  schemaFaults: readonly string[] | null;
  promptTokens: number | null;
  completionTokens: number | null;
  /** Whole nano-USD; null where tokens or price are not known. */
  costNanoUsd: number | null;
  firstTokenMs: number | null;
  totalMs: number;
}

const TITLE_CHARACTERS = 60;

/** A conversation that has not begun. */
export function newConversation(
  settings: Pick<Conversation, 'modelId' | 'systemPrompt' | 'schemaText'>,
  nowMs: number,
): Conversation {
  return { id: newId(), title: null, createdAtMs: nowMs, updatedAtMs: nowMs, ...settings, turns: [] };
}

/** What it is called: its title, or the beginning of its first question. */
export function titleOf({ title, turns }: Conversation): string {
  if (title !== null) return title;
  const asked = turns[0]?.question.trim() || turns[0]?.files?.[0]?.name || '';
  const question = asked.replace(/\s+/g, ' ').trim();
  if (question === '') return 'New conversation';
  return question.length > TITLE_CHARACTERS ? `${question.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…` : question;
}

/** The conversation with a new question at its end. */
export function withQuestion(
  conversation: Conversation,
  question: string,
  nowMs: number,
  files: readonly AttachedFile[] = [],
): { conversation: Conversation; turnId: string } {
  const turn: Turn = { id: newId(), question, ...(files.length > 0 && { files }), askedAtMs: nowMs, answer: null };
  return {
    conversation: { ...conversation, updatedAtMs: nowMs, turns: [...conversation.turns, turn] },
    turnId: turn.id,
  };
}

/** One message of a chat request. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The messages that ask the last question, with what was said before it. Turns without an answer are left out. */
export function messagesOf({ systemPrompt, turns }: Pick<Conversation, 'systemPrompt' | 'turns'>): ChatMessage[] {
  const before = turns.slice(0, -1).flatMap(({ question, files, answer }): ChatMessage[] =>
    answer === null || answer.text === ''
      ? []
      : [
          { role: 'user', content: questionText(question, files) },
          { role: 'assistant', content: answer.text },
        ],
  );
  const last = turns.at(-1);
  return [
    ...(systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt } as const]),
    ...before,
    ...(last ? [{ role: 'user', content: questionText(last.question, last.files) } as const] : []),
  ];
}
