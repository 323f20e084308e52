import { type TokenUsage, usageJson } from '@/lib/protocol/chat/token-usage';
import { ERRORS } from '@/lib/protocol/errors';
import { streamedErrorObject } from '@/lib/protocol/translation/error-forms';

/** The last event of a stream of chat chunks. */
export const DONE_EVENT: Uint8Array = Buffer.from('data: [DONE]\n\n');

/** Why an answer ends that a model broke off. */
export const BROKEN_ANSWER = {
  code: 'ANSWER_BROKEN',
  message: `${ERRORS.ANSWER_BROKEN.error} ${ERRORS.ANSWER_BROKEN.hint}`,
} as const;

/** The same as an event, for which clients of OpenAI's API throw. */
export const BROKEN_EVENT: Uint8Array = Buffer.from(`data: ${JSON.stringify(streamedErrorObject(BROKEN_ANSWER))}\n\n`);

/** The event with which all choices end at the limit of tokens. */
export function limitEvent(modelId: string, requestId: string, completions: number): Uint8Array {
  return event(modelId, requestId, {
    choices: Array.from({ length: completions }, (_, index) => ({ index, delta: {}, finish_reason: 'length' })),
  });
}

/** The event that tells what a stream took. */
export function usageEvent(modelId: string, requestId: string, usage: TokenUsage): Uint8Array {
  return event(modelId, requestId, { choices: [], usage: usageJson(usage) });
}

function event(model: string, requestId: string, members: object): Uint8Array {
  return Buffer.from(
    `data: ${JSON.stringify({ id: `chatcmpl-${requestId}`, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1_000), model, ...members })}\n\n`,
  );
}
