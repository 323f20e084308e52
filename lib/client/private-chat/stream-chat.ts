import type { ChatMessage } from '@/lib/protocol/chat/folded-conversation';
import type { ChatEvent } from './chat-event';
import { completionBody } from './completion-body';
import { type ReplyTimeouts, streamCompletion } from './completion-stream';
import type { Connection } from './connection';

/** A chat with an ordinary model. */
export interface ChatCall {
  connection: Connection;
  model: string;
  messages: readonly ChatMessage[];
  /** Further fields of the request, such as max_tokens, temperature or response_format. */
  parameters?: Readonly<Record<string, unknown>>;
  signal?: AbortSignal | undefined;
  timeouts?: ReplyTimeouts | undefined;
}

/**
 * Chats with a model that proves nothing: gateway and upstream read every word.
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
