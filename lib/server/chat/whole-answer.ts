import { errorOf, errorSentence, statusOfError } from '@/lib/protocol/chat/answer-error';
import { readAnswerParts } from '@/lib/protocol/chat/answer-parts';
import type { ChatRequest } from '@/lib/protocol/chat/chat-request';
import { chatDataOf } from '@/lib/protocol/chat/event-data';
import { estimatePromptTokens } from '@/lib/protocol/chat/prompt-estimate';
import {
  estimateTokens,
  isMiscounted,
  readUsage,
  saysUsage,
  type TokenUsage,
  usageJson,
} from '@/lib/protocol/chat/token-usage';
import type { MessageScheme } from '@/lib/protocol/e2ee/request-check';
import { parsedRecord, recordOf } from '@/lib/protocol/json-record';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';

export type WholeAnswer =
  | { kind: 'completion'; json: Record<string, unknown>; body: Buffer }
  /** Answer whose status or body reports an error. */
  | { kind: 'refusal'; answer: UpstreamAnswer }
  /** Body that cannot be parsed, such as an HTML page. */
  | { kind: 'unreadable' };

/** Status for an error that arrived with status 200 and has no status in its body. */
const ERROR_STATUS = 502;

/** Returns whether a status means success. Some frameworks answer every POST with 201. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function readWholeAnswer(answer: UpstreamAnswer): WholeAnswer {
  const { status, headers, body } = answer;
  if (!isSuccess(status)) return { kind: 'refusal', answer };
  const json = parsedRecord(body.toString('utf8'));
  if (json === null) return { kind: 'unreadable' };
  const error = errorOf(json);
  const { choices } = json;
  if (Array.isArray(choices) && choices.length > 0 && (error === null || choices.some(saysSomething)))
    return { kind: 'completion', json, body };
  return error === null
    ? { kind: 'unreadable' }
    : {
        kind: 'refusal',
        answer: { status: statusOfError(error) ?? statusOfError(json) ?? ERROR_STATUS, headers, body },
      };
}

/** Returns whether a choice has content. An answer with content is not a refusal, even if it also has an error. */
function saysSomething(choice: unknown): boolean {
  const { content, refusal, calls } = readAnswerParts(choice, 'message');
  return content !== '' || refusal !== '' || calls.length > 0;
}

/**
 * Returns whether another upstream might do better, because this one is overloaded, unavailable or unpaid, or its answer
 * is unreadable.
 */
export function mayBeBettered(whole: WholeAnswer): boolean {
  if (whole.kind !== 'refusal') return whole.kind === 'unreadable';
  const { status } = whole.answer;
  return status === 402 || status === 408 || status === 429 || status < 400 || status >= 500;
}

/**
 * Returns whether an answer shows that the upstream works. An upstream that refuses an invalid request works; an
 * upstream that answers 401 or 403 does not.
 */
export function isSound(whole: WholeAnswer): boolean {
  if (whole.kind === 'refusal' && (whole.answer.status === 401 || whole.answer.status === 403)) return false;
  return !mayBeBettered(whole);
}

/** Returns an error event's data as the body of a whole answer. */
export function errorBodyOf(event: Uint8Array): string {
  const json = parsedRecord(chatDataOf(Buffer.from(event).toString('utf8')) ?? '') ?? {};
  const error = errorOf(json) ?? errorOf(recordOf(json['response'])) ?? json;
  const [message, code] = [errorSentence(error), statusOfError(error) ?? statusOfError(json)];
  const isUsual = typeof recordOf(error)['message'] === 'string' || (typeof error === 'string' && code === null);
  return JSON.stringify({ error: isUsual ? error : { message, code } });
}

interface CountedRequest {
  request: ChatRequest;
  encrypted: MessageScheme | null;
  completionTokensMax: number;
}

/**
 * Returns the tokens of a whole answer: the upstream's count, or an estimate from bytes. Ignores a count of zero if the
 * answer has text.
 */
export function usageOfAnswer(
  answer: unknown,
  { request, encrypted, completionTokensMax }: CountedRequest,
): TokenUsage {
  const told = readUsage((answer as { usage?: unknown } | null)?.usage);
  const bytes = producedBytes(answer);
  if (told !== null && !isMiscounted(told, bytes > 0)) return told;
  return {
    ...told,
    promptTokens: told?.promptTokens || estimatePromptTokens(request, { encrypted }),
    completionTokens: told?.completionTokens || Math.min(completionTokensMax, Math.max(1, estimateTokens(bytes))),
  };
}

/**
 * Replaces an answer's usage with the charged tokens.
 *
 * @returns whether the usage differed or was missing
 */
export function correctUsage(answer: Record<string, unknown>, sold: TokenUsage): boolean {
  if (answer['usage'] != null && saysUsage(answer['usage'], sold)) return false;
  answer['usage'] = usageJson(sold);
  return true;
}

function producedBytes(answer: unknown): number {
  const choices = (answer as { choices?: unknown } | null)?.choices;
  if (!Array.isArray(choices)) return 0;
  let sum = 0;
  for (const choice of choices as unknown[]) {
    const { content, reasoning, refusal } = readAnswerParts(choice, 'message');
    const { tool_calls: calls, function_call: call } = recordOf(recordOf(choice)['message']);
    for (const text of [content, reasoning, refusal]) sum += Buffer.byteLength(text);
    for (const called of [calls, call]) if (called != null) sum += Buffer.byteLength(JSON.stringify(called));
  }
  return sum;
}
