import type { ChatMessage } from './chat-event';
import { PrivateChatError } from './private-chat-error';

/** What stands before a conversation that is told in one message. */
const PREAMBLE = 'This is our conversation so far, as a JSON array. Continue it: answer the last message of the user.';

/**
 * Folds a conversation into what may be sent encrypted: the system's messages as one, and all else as one message of
 * the user. Only these roles are encrypted (specification, "E2EE calls", rule 2), so an earlier answer of the model
 * must not go out as a message of its own.
 *
 * The history is a JSON array: nothing that somebody wrote can pass for the turn of somebody else.
 * @throws {PrivateChatError} NOTHING_TO_SEND where the last message is not one of a user
 */
export function foldConversation(messages: readonly ChatMessage[]): ChatMessage[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content).join('\n\n');
  const turns = messages.filter(({ role }) => role !== 'system').map(({ role, content }) => ({ role, content }));
  const last = turns.at(-1);
  if (last?.role !== 'user') throw new PrivateChatError('NOTHING_TO_SEND');
  const content = turns.length === 1 ? last.content : `${PREAMBLE}\n\n${JSON.stringify(turns)}`;
  return [...(system === '' ? [] : [{ role: 'system', content: system } as const]), { role: 'user', content }];
}
