import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';
import { areAttachedFiles } from './attached-files';
import { areAttachedPictures } from './attached-pictures';
import {
  ANSWER_ENDS,
  type Answer,
  type Conversation,
  SIGNATURE_STATES,
  type SideAnswer,
  type Turn,
} from './conversation';

const CONCLUSIONS: readonly AttestationConclusion[] = [
  'verified',
  'unknown-workload',
  'simulated',
  'failed',
  'not-checkable',
];

/** Returns the valid conversations of a stored list; null if the value is not a list. */
export function readConversations(stored: unknown): readonly Conversation[] | null {
  return Array.isArray(stored) ? stored.filter(isConversation) : null;
}

type Fields<T> = Partial<Record<keyof T, unknown>>;

export function isConversation(value: unknown): value is Conversation {
  if (!isRecord(value)) return false;
  const {
    id,
    title,
    createdAtMs,
    updatedAtMs,
    modelId,
    besideModelId,
    systemPrompt,
    temperature,
    maxTokens,
    schemaText,
    turns,
  } = value as Fields<Conversation>;
  return (
    isText(id) &&
    id !== '' &&
    isTextOrNull(title) &&
    isTime(createdAtMs) &&
    isTime(updatedAtMs) &&
    isTextOrNull(modelId) &&
    (besideModelId === undefined || isTextOrNull(besideModelId)) &&
    isText(systemPrompt) &&
    [temperature, maxTokens].every((bound) => bound === undefined || bound === null || isNumber(bound)) &&
    isText(schemaText) &&
    Array.isArray(turns) &&
    turns.every(isTurn)
  );
}

function isTurn(value: unknown): value is Turn {
  if (!isRecord(value)) return false;
  const { id, question, files, pictures, askedAtMs, answer, beside, before, after } = value as Fields<Turn>;
  return (
    isText(id) &&
    id !== '' &&
    isText(question) &&
    (files === undefined || areAttachedFiles(files)) &&
    (pictures === undefined || areAttachedPictures(pictures)) &&
    isTime(askedAtMs) &&
    (answer === null || isAnswer(answer)) &&
    (beside === undefined || isSideAnswer(beside)) &&
    areTails(before) &&
    areTails(after)
  );
}

function isSideAnswer(value: unknown): value is SideAnswer {
  if (!isRecord(value)) return false;
  const { id, modelId, answer } = value as Fields<SideAnswer>;
  return isText(id) && id !== '' && isText(modelId) && (answer === null || isAnswer(answer));
}

function areTails(value: unknown): boolean {
  return (
    value === undefined ||
    (Array.isArray(value) && value.every((tail) => Array.isArray(tail) && tail.length > 0 && tail.every(isTurn)))
  );
}

function isAnswer(value: unknown): value is Answer {
  if (!isRecord(value)) return false;
  const {
    text,
    end,
    problem,
    advice,
    modelId,
    isEncrypted,
    conclusion,
    signature,
    schemaFaults,
    promptTokens,
    completionTokens,
    costNanoUsd,
    firstTokenMs,
    totalMs,
  } = value as Fields<Answer>;
  return (
    isText(text) &&
    isOneOf(ANSWER_ENDS, end) &&
    isTextOrNull(problem) &&
    (advice === undefined || (Array.isArray(advice) && advice.every(isText))) &&
    isText(modelId) &&
    typeof isEncrypted === 'boolean' &&
    (conclusion === null || isOneOf(CONCLUSIONS, conclusion)) &&
    isSignature(signature) &&
    (schemaFaults === null || (Array.isArray(schemaFaults) && schemaFaults.every(isText))) &&
    [promptTokens, completionTokens, costNanoUsd, firstTokenMs].every((count) => count === null || isNumber(count)) &&
    isNumber(totalMs)
  );
}

function isSignature(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { state, sentence, claim, isRefused } = value as Fields<Answer['signature']>;
  return (
    isOneOf(SIGNATURE_STATES, state) &&
    isText(sentence) &&
    (isRefused === undefined || typeof isRefused === 'boolean') &&
    (claim === undefined ||
      (isRecordOf(claim, ['completionId', 'requestHash', 'responseHash', 'attestedAddress']) &&
        Object.values(claim).every(isText)))
  );
}

function isOneOf(values: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && values.includes(value);
}

export function isRecordOf<Name extends string>(
  value: unknown,
  names: readonly Name[],
): value is Record<Name, unknown> {
  return isRecord(value) && names.every((name) => Object.hasOwn(value, name));
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isTime(value: unknown): boolean {
  return isNumber(value) && !Number.isNaN(new Date(Number(value)).getTime());
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
