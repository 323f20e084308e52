import { errorOf, errorSentence } from '@/lib/protocol/chat/answer-error';
import { chatDataOf } from '@/lib/protocol/chat/event-data';
import { type TokenUsage, usageJson } from '@/lib/protocol/chat/token-usage';
import { ERRORS } from '@/lib/protocol/errors';
import { parsedRecord, recordOf } from '@/lib/protocol/json-record';
import { streamedErrorObject } from '@/lib/protocol/translation/error-forms';

export const DONE_EVENT: Uint8Array = Buffer.from('data: [DONE]\n\n');

export const BROKEN_ANSWER = {
  code: 'ANSWER_BROKEN',
  message: `${ERRORS.ANSWER_BROKEN.error} ${ERRORS.ANSWER_BROKEN.hint}`,
} as const;

/** Error event for a stream that ends early. The event makes OpenAI's clients throw. */
export const BROKEN_EVENT: Uint8Array = failedEvent(BROKEN_ANSWER);

/**
 * Rewrites a server's error event into the only form that makes OpenAI's clients throw and show the reason. With other
 * forms, the clients treat the answer as complete or repeat the call.
 */
export function failureEvent(event: Uint8Array, redact: (text: string) => string): Uint8Array {
  const json = parsedRecord(chatDataOf(Buffer.from(event).toString('utf8')) ?? '') ?? {};
  const error = errorOf(json) ?? json;
  const { code } = recordOf(error);
  const message = redact(errorSentence(error) ?? 'The model ended its answer with an error.');
  return failedEvent({ message, code: typeof code === 'string' ? redact(code) : null });
}

function failedEvent(failure: Parameters<typeof streamedErrorObject>[0]): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify(streamedErrorObject(failure))}\n\n`);
}

/** Returns the event that ends all choices when the token limit is reached. */
export function limitEvent(modelId: string, requestId: string, completions: number): Uint8Array {
  return event(modelId, requestId, {
    choices: Array.from({ length: completions }, (_, index) => ({ index, delta: {}, finish_reason: 'length' })),
  });
}

export function usageEvent(modelId: string, requestId: string, usage: TokenUsage): Uint8Array {
  return event(modelId, requestId, { choices: [], usage: usageJson(usage) });
}

function event(model: string, requestId: string, members: object): Uint8Array {
  return Buffer.from(
    `data: ${JSON.stringify({ id: `chatcmpl-${requestId}`, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1_000), model, ...members })}\n\n`,
  );
}
