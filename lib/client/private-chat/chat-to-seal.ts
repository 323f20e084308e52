import type { ChatMessage } from '@/lib/protocol/chat/folded-conversation';
import type { CompletionRequest } from './completion-stream';

/** What of a request encryption decides. */
export type SealedChat = Pick<
  CompletionRequest,
  'bodyText' | 'body' | 'headers' | 'isEncrypted' | 'open' | 'openBody' | 'endsInTheClear'
>;

/** A conversation that is to go out encrypted. */
export interface ChatToSeal {
  model: string;
  messages: readonly ChatMessage[];
  parameters?: Readonly<Record<string, unknown>> | undefined;
}
