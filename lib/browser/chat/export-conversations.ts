import type { Conversation } from './conversation';

/** Exports conversations as JSON, as stored. The export contains no API keys. */
export function conversationsExport(conversations: readonly Conversation[], nowMs: number): string {
  return `${JSON.stringify({ format: 'turnpike-chats', version: 1, exportedAt: new Date(nowMs).toISOString(), conversations }, null, 2)}\n`;
}
