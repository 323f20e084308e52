import type { Conversation } from './conversation';

/** Conversations as a file: JSON, as they are kept. There are no keys in it. */
export function conversationsExport(conversations: readonly Conversation[], nowMs: number): string {
  return `${JSON.stringify({ format: 'turnpike-chats', version: 1, exportedAt: new Date(nowMs).toISOString(), conversations }, null, 2)}\n`;
}
