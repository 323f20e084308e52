import { type TokenUsage, usageJson } from '@/lib/protocol/chat/token-usage';
import { ERRORS } from '@/lib/protocol/errors';
import { streamedErrorObject } from '@/lib/protocol/translation/error-forms';

export const DONE_EVENT: Uint8Array = Buffer.from('data: [DONE]\n\n');

export const BROKEN_ANSWER = {
  code: 'ANSWER_BROKEN',
  message: `${ERRORS.ANSWER_BROKEN.error} ${ERRORS.ANSWER_BROKEN.hint}`,
} as const;

/** Error event for a stream that breaks off. Makes OpenAI's clients throw. */
export const BROKEN_EVENT: Uint8Array = Buffer.from(`data: ${JSON.stringify(streamedErrorObject(BROKEN_ANSWER))}\n\n`);

/** Returns the event that ends all choices at the token limit. */
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
