import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';

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
  askedAtMs: number;
  /** Null until there is one. */
  answer: Answer | null;
}

/** How an answer ended: whole, cut by its length, stopped by the person, or broken off. */
export const ANSWER_ENDS = ['whole', 'length', 'stopped', 'broken'] as const;
export type AnswerEnd = (typeof ANSWER_ENDS)[number];

/**
 * What came of checking an enclave's signature over an answer. `none`: the model signs nothing. `attested-after`: by
 * another key than the one attested before the question, which was attested after the answer.
 */
export const SIGNATURE_STATES = ['none', 'verified', 'attested-after', 'failed', 'unavailable'] as const;
export type SignatureState = (typeof SIGNATURE_STATES)[number];

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
  signature: { state: SignatureState; sentence: string };
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
export function newConversation(settings: Pick<Conversation, 'modelId' | 'systemPrompt' | 'schemaText'>, nowMs: number): Conversation {
  return { id: crypto.randomUUID(), title: null, createdAtMs: nowMs, updatedAtMs: nowMs, ...settings, turns: [] };
}

/** What it is called: its title, or the beginning of its first question. */
export function titleOf({ title, turns }: Conversation): string {
  if (title !== null) return title;
  const question = turns[0]?.question.replace(/\s+/g, ' ').trim() ?? '';
  if (question === '') return 'New conversation';
  return question.length > TITLE_CHARACTERS ? `${question.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…` : question;
}

/** The conversation with a new question at its end. */
export function withQuestion(conversation: Conversation, question: string, nowMs: number): { conversation: Conversation; turnId: string } {
  const turn: Turn = { id: crypto.randomUUID(), question, askedAtMs: nowMs, answer: null };
  return { conversation: { ...conversation, updatedAtMs: nowMs, turns: [...conversation.turns, turn] }, turnId: turn.id };
}

/** The conversation up to a turn that is asked again, with another question where one is given: what followed it is gone. */
export function askedAgain(conversation: Conversation, turnId: string, question: string | null, nowMs: number): Conversation {
  const index = conversation.turns.findIndex(({ id }) => id === turnId);
  const turn = conversation.turns[index];
  if (turn === undefined) return conversation;
  return { ...conversation, updatedAtMs: nowMs, turns: [...conversation.turns.slice(0, index), { ...turn, question: question ?? turn.question, askedAtMs: nowMs, answer: null }] };
}

/** The conversation with an answer to one of its turns. */
export function withAnswer(conversation: Conversation, turnId: string, answer: Answer | null, nowMs: number): Conversation {
  return { ...conversation, updatedAtMs: nowMs, turns: conversation.turns.map((turn) => (turn.id === turnId ? { ...turn, answer } : turn)) };
}

/** One message of a chat request. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The messages that ask the last question, with what was said before it. Turns without an answer are left out. */
export function messagesOf({ systemPrompt, turns }: Pick<Conversation, 'systemPrompt' | 'turns'>): ChatMessage[] {
  const before = turns.slice(0, -1).flatMap(({ question, answer }): ChatMessage[] =>
    answer === null || answer.text === '' ? [] : [{ role: 'user', content: question }, { role: 'assistant', content: answer.text }],
  );
  const last = turns.at(-1);
  return [...(systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt } as const]), ...before, ...(last ? [{ role: 'user', content: last.question } as const] : [])];
}
