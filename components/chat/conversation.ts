import { newId } from '@/lib/browser/page/new-id';
import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import { type AttachedFile, questionText } from './attached-files';
import type { AttachedPicture } from './attached-pictures';

export interface Conversation {
  id: string;
  /** Title that the user has set; null shows the first question as title. */
  title: string | null;
  createdAtMs: number;
  updatedAtMs: number;
  modelId: string | null;
  besideModelId?: string | null;
  systemPrompt: string;
  /** Sampling temperature, 0 to 2; absent or null for the model's default. */
  temperature?: number | null;
  /** Maximum length of an answer in tokens; absent or null for the gateway's maximum. */
  maxTokens?: number | null;
  /** JSON schema for answers, as text; empty for none. */
  schemaText: string;
  turns: readonly Turn[];
}

export interface Turn {
  id: string;
  question: string;
  files?: readonly AttachedFile[];
  pictures?: readonly AttachedPicture[];
  askedAtMs: number;
  answer: Answer | null;
  beside?: SideAnswer;
  /**
   * Earlier versions of this turn, oldest first, each with the turns that followed it. `after` has the later versions.
   */
  before?: readonly Tail[];
  after?: readonly Tail[];
}

export type SideName = 'main' | 'beside';

/** Answer of the second model. Its id differs from the ids of all turns. */
export interface SideAnswer {
  id: string;
  modelId: string;
  answer: Answer | null;
}

/** Turn and all later turns in one version of the conversation. Never empty. */
export type Tail = readonly Turn[];

/** How an answer ended: complete, cut at the token limit, stopped by the user, or interrupted. */
export const ANSWER_ENDS = ['whole', 'length', 'stopped', 'broken'] as const;
export type AnswerEnd = (typeof ANSWER_ENDS)[number];

/**
 * Result of checking an enclave's signature over an answer.
 * `none`: the model signs nothing.
 * `attested-after`: the signing key was attested only after the answer and differs from the key attested before.
 * `sealed`: only the attested enclave can have encrypted the answer.
 * `sealed-pieces`: like `sealed` for each chunk, but chunks could be missing or reordered.
 * `unchecked`: the browser could not fetch the signature.
 * `unavailable`: no signature exists.
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

/** Data for fetching and checking a signature later. */
export interface SignatureClaim {
  completionId: string;
  /** SHA-256 in hex of the request as sent; `responseHash` covers the response as received. */
  requestHash: string;
  responseHash: string;
  /** Address of the key attested before the message was sent. */
  attestedAddress: string;
}

export interface Answer {
  text: string;
  end: AnswerEnd;
  problem: string | null;
  /** Details and advice, one sentence each. Absent in older answers. */
  advice?: readonly string[];
  modelId: string;
  isEncrypted: boolean;
  /** Conclusion of the attestation at the time of the answer; null if there was none. */
  conclusion: AttestationConclusion | null;
  /**
   * `claim`: data for a later check of an `unchecked` signature. `isRefused`: the gateway cannot serve the signature.
   */
  signature: { state: SignatureState; sentence: string; claim?: SignatureClaim; isRefused?: boolean };
  /** Violations of the schema, empty if the answer is valid; null if it was not checked. */
  schemaFaults: readonly string[] | null;
  promptTokens: number | null;
  completionTokens: number | null;
  /** Whole nano-USD; null if tokens or price are unknown. */
  costNanoUsd: number | null;
  firstTokenMs: number | null;
  totalMs: number;
}

const TITLE_CHARACTERS = 60;

export function newConversation(
  settings: Pick<
    Conversation,
    'modelId' | 'besideModelId' | 'systemPrompt' | 'schemaText' | 'temperature' | 'maxTokens'
  >,
  nowMs: number,
): Conversation {
  return { id: newId(), title: null, createdAtMs: nowMs, updatedAtMs: nowMs, ...settings, turns: [] };
}

export function titleOf({ title, turns }: Conversation): string {
  if (title !== null) return title;
  const asked = turns[0]?.question.trim() || turns[0]?.files?.[0]?.name || turns[0]?.pictures?.[0]?.name || '';
  const question = asked.replace(/\s+/g, ' ').trim();
  if (question === '') return 'New conversation';
  return question.length > TITLE_CHARACTERS ? `${question.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…` : question;
}

export function withQuestion(
  conversation: Conversation,
  question: string,
  nowMs: number,
  files: readonly AttachedFile[] = [],
  besideModelId: string | null = null,
  pictures: readonly AttachedPicture[] = [],
): { conversation: Conversation; turnId: string } {
  const turn: Turn = {
    id: newId(),
    question,
    ...(files.length > 0 && { files }),
    ...(pictures.length > 0 && { pictures }),
    askedAtMs: nowMs,
    answer: null,
    ...(besideModelId !== null && { beside: { id: newId(), modelId: besideModelId, answer: null } }),
  };
  return {
    conversation: { ...conversation, updatedAtMs: nowMs, turns: [...conversation.turns, turn] },
    turnId: turn.id,
  };
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
  pictures?: readonly AttachedPicture[];
}

/**
 * Returns the messages to send for the last question. Leaves out earlier questions without an answer. If two models
 * answered an earlier question, includes the answer of the model that is asked now. If this answer is empty, includes
 * the other model's answer.
 */
export function messagesOf(
  { systemPrompt, turns }: Pick<Conversation, 'systemPrompt' | 'turns'>,
  side: SideName = 'main',
): ChatMessage[] {
  const before = turns.slice(0, -1).flatMap((turn): ChatMessage[] => {
    const { answer, beside } = turn;
    const texts = [answer?.text ?? '', beside?.answer?.text ?? ''];
    const text = (side === 'main' ? texts : texts.reverse()).find((each) => each !== '');
    return text === undefined ? [] : [questionMessage(turn), { role: 'assistant', content: text }];
  });
  const last = turns.at(-1);
  return [
    ...(systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt } as const]),
    ...before,
    ...(last ? [questionMessage(last)] : []),
  ];
}

function questionMessage({ question, files, pictures }: Turn): ChatMessage {
  return { role: 'user', content: questionText(question, files), ...(pictures && { pictures }) };
}

export function boundsOf({ temperature, maxTokens }: Pick<Conversation, 'temperature' | 'maxTokens'>): AnswerBounds {
  return { ...(temperature != null && { temperature }), ...(maxTokens != null && { max_tokens: maxTokens }) };
}

export interface AnswerBounds {
  temperature?: number;
  max_tokens?: number;
}

const NAME = 'answer';

export function responseFormatOf(schema: Readonly<Record<string, unknown>>) {
  return { type: 'json_schema', json_schema: { name: NAME, strict: true, schema } } as const;
}
