/** A message of a conversation, in plain text. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What stands before a conversation that is told in one message. */
const PREAMBLE =
  'This is our conversation so far, as a JSON array. Continue it: answer the last message of the user.\n\n';

/**
 * Folds a conversation into what may be sent encrypted: the system's messages as one, and all else as one message of
 * a user. Only these roles are encrypted (specification, "E2EE calls", rule 2), so an earlier answer of the model
 * must not go out as a message of its own.
 *
 * Several turns become a JSON array, in which nothing that somebody wrote can pass for the turn of somebody else.
 * @returns null where the last turn is not one of a user: there is nothing to answer
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

/** What a user asks last in a message that may be a folded conversation; the message itself where it is none. */
export function lastQuestionOf(content: string): string {
  if (!content.startsWith(PREAMBLE)) return content;
  try {
    const last = (JSON.parse(content.slice(PREAMBLE.length)) as unknown[]).at(-1) as { content?: unknown } | undefined;
    return typeof last?.content === 'string' ? last.content : content;
  } catch {
    return content;
  }
}
