import type { ChatAnswer, PrivateChatEvent } from '@/lib/client/private-chat';
import { usageJson } from '@/lib/protocol/chat/token-usage';
import type { PrivateRequest } from './private-request';

/** Private chat in progress, which the gateway has accepted. */
export interface PrivateReply {
  request: PrivateRequest;
  requestId: string | null;
  balanceRemainingUsd: string | null;
  events: AsyncGenerator<PrivateChatEvent, void, undefined>;
  /** Aborts the request in any state. */
  abandon: () => void;
}

/** Returns the whole answer as `chat.completion` after verifying its signature. @throws the chat's error */
export async function wholeResponse(reply: PrivateReply): Promise<Response> {
  for await (const event of reply.events)
    if (event.type === 'done')
      return new Response(JSON.stringify(completionOf(reply, event.answer)), {
        headers: headersOf(reply, 'application/json'),
      });
  throw new Error('A private chat ended without its last event.');
}

/**
 * Streams the answer as `chat.completion.chunk`s. Sends the finish reason only after a valid signature; otherwise the
 * stream fails.
 */
export function streamedResponse(reply: PrivateReply): Response {
  const encoder = new TextEncoder();
  const line = (data: string): Uint8Array => encoder.encode(`data: ${data}\n\n`);
  const chunk = chunkMaker(reply);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(line(chunk({ role: 'assistant', content: '' }))),
    async pull(controller) {
      for (;;) {
        const { done, value } = await reply.events.next();
        if (done) return controller.close();
        if (value.type === 'delta')
          return controller.enqueue(
            line(chunk({ [value.kind === 'answer' ? 'content' : 'reasoning_content']: value.text })),
          );
        if (value.type !== 'done') continue;
        controller.enqueue(line(chunk({}, value.answer.finishReason ?? 'stop')));
        if (reply.request.withUsage) controller.enqueue(line(usageChunk(reply, value.answer)));
        controller.enqueue(line('[DONE]'));
      }
    },
    cancel: reply.abandon,
  });
  return new Response(body, { headers: headersOf(reply, 'text/event-stream; charset=utf-8') });
}

function chunkMaker(reply: PrivateReply): (delta: object, finishReason?: string) => string {
  const common = {
    id: idOf(reply),
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1000),
    model: reply.request.model,
  };
  return (delta, finishReason) =>
    JSON.stringify({ ...common, choices: [{ index: 0, delta, finish_reason: finishReason ?? null }] });
}

function usageChunk(reply: PrivateReply, answer: ChatAnswer): string {
  return JSON.stringify({
    id: idOf(reply),
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1000),
    model: reply.request.model,
    choices: [],
    usage: answer.usage && usageJson(answer.usage),
  });
}

function completionOf(reply: PrivateReply, answer: ChatAnswer): object {
  const message = {
    role: 'assistant',
    content: answer.text,
    refusal: null,
    ...(answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }),
  };
  const choice = { index: 0, message, finish_reason: answer.finishReason ?? 'stop', logprobs: null };
  return {
    id: answer.completionId ?? idOf(reply),
    object: 'chat.completion',
    created: Math.floor(answer.sent.sentAtMs / 1000),
    model: reply.request.model,
    choices: [choice],
    usage: answer.usage && usageJson(answer.usage),
  };
}

/** Returns an id made from the request's id, because the completion's id is known only at the end. */
function idOf({ requestId }: PrivateReply): string {
  return `chatcmpl-${requestId ?? 'private'}`;
}

function headersOf({ requestId, balanceRemainingUsd }: PrivateReply, contentType: string): Record<string, string> {
  return {
    'content-type': contentType,
    ...(requestId && { 'x-request-id': requestId }),
    ...(balanceRemainingUsd && { 'x-balance-remaining': balanceRemainingUsd }),
  };
}
