import type { PicturedMessage } from '@/lib/protocol/chat/folded-conversation';

/** Builds the body of a streamed chat that reports token usage. The fields set here override `parameters`. */
export function completionBody(
  model: string,
  messages: readonly PicturedMessage[],
  parameters: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({ ...parameters, model, messages, stream: true, stream_options: { include_usage: true } });
}
