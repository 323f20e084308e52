import type { PicturedMessage } from '@/lib/protocol/chat/folded-conversation';
import type { ChatEvent } from './chat-event';
import { completionBody } from './completion-body';
import { type ReplyTimeouts, streamCompletion } from './completion-stream';
import type { Connection } from './connection';

export interface ChatCall {
  connection: Connection;
  model: string;
  messages: readonly PicturedMessage[];
  /** Additional request fields, such as max_tokens. */
  parameters?: Readonly<Record<string, unknown>>;
  signal?: AbortSignal | undefined;
  timeouts?: ReplyTimeouts | undefined;
}

/**
 * Streams a chat without attestation. The gateway and the upstream can read all content.
 *
 * @throws {GatewayError | UnreachableError | PrivateChatError}
 */
export function streamChat({
  connection,
  model,
  messages,
  parameters,
  signal,
  timeouts,
}: ChatCall): AsyncGenerator<ChatEvent, void, undefined> {
  return streamCompletion({
    connection,
    bodyText: completionBody(model, messages, parameters),
    headers: {},
    isEncrypted: false,
    open: (content) => content,
    signal,
    timeouts,
  });
}
