import type { ChatMessage } from '@/lib/protocol/chat/folded-conversation';

/** The body of a streamed chat that asks for usage; what is said here goes before what the parameters say. */
export function completionBody(
  model: string,
  messages: readonly ChatMessage[],
  parameters: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({ ...parameters, model, messages, stream: true, stream_options: { include_usage: true } });
}
