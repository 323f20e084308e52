import { withoutAttachments } from './attachments';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** Part of a message in OpenAI's API. */
export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface PicturedMessage extends Pick<ChatMessage, 'role'> {
  content: string | readonly ContentPart[];
}

const IMAGES = new Set(['images']);

/** Replaces each picture with a line of text. Encrypted messages are strings (specification, "E2EE calls", rule 5). */
export function textMessages(messages: readonly PicturedMessage[]): ChatMessage[] {
  return withoutAttachments(messages, IMAGES).map(({ role, content }) => ({
    role,
    content:
      typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('\n'),
  }));
}

const PREAMBLE =
  'This is our conversation so far, as a JSON array. Continue it: answer the last message of the user.\n\n';

/**
 * Folds a conversation into messages that may be encrypted: one message with all system messages, then one user message
 * with all other turns. The specification encrypts only these roles ("E2EE calls", rule 2). Several turns become a JSON
 * array, so that no text can imitate another turn.
 *
 * @returns null if the last turn is not the user's
 */
export function foldConversation(messages: readonly ChatMessage[]): ChatMessage[] | null {
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n\n');
  const turns = messages.filter(({ role }) => role !== 'system').map(({ role, content }) => ({ role, content }));
  const last = turns.at(-1);
  if (last?.role !== 'user') return null;
  const content = turns.length === 1 ? last.content : PREAMBLE + JSON.stringify(turns);
  return [...(system === '' ? [] : [{ role: 'system', content: system } as const]), { role: 'user', content }];
}

/** Returns the last question of a folded conversation. Returns any other message unchanged. */
export function lastQuestionOf(content: string): string {
  if (!content.startsWith(PREAMBLE)) return content;
  try {
    const last = (JSON.parse(content.slice(PREAMBLE.length)) as unknown[]).at(-1) as { content?: unknown } | undefined;
    return typeof last?.content === 'string' ? last.content : content;
  } catch {
    return content;
  }
}
