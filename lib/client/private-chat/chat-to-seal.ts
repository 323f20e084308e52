import type { ChatMessage } from '@/lib/protocol/chat/folded-conversation';
import type { CompletionRequest } from './completion-stream';

/** Parts of a request that depend on the encryption. */
export type SealedChat = Pick<
  CompletionRequest,
  'bodyText' | 'body' | 'headers' | 'isEncrypted' | 'open' | 'openBody' | 'endsInTheClear'
>;

export interface ChatToSeal {
  model: string;
  messages: readonly ChatMessage[];
  parameters?: Readonly<Record<string, unknown>> | undefined;
}
