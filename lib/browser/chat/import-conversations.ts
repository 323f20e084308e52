import { newId } from '../new-id';
import { isRecordOf, readConversations } from './read-conversations';
import type { Answer, Conversation, Turn } from './conversation';
import { chatKeptWords } from '../words/chat-kept';

export interface ImportedConversations {
  conversations: readonly Conversation[];
  knownCount: number;
  unreadCount: number;
}

export const IMPORT_BYTES_MAX = 50_000_000;
const VOUCHED_FOR = chatKeptWords.importedAnswer;

/**
 * Reads an export of conversations. Drops its claims of verification, because anyone can write such claims. Skips a
 * conversation if the stored one is equal or newer; otherwise keeps both.
 * @returns null if the text is not an export
 */
export function importConversations(text: string, kept: readonly Conversation[]): ImportedConversations | null {
  const stored = conversationsOf(text);
  if (stored === null) return null;
  const read = readConversations(stored) ?? [];
  const fresh = read.filter(
    (each) => !kept.some(({ id, updatedAtMs }) => id === each.id && updatedAtMs >= each.updatedAtMs),
  );
  const ids = new Set(kept.map(({ id }) => id));
  const conversations = fresh.map((each) => {
    const id = ids.has(each.id) ? newId() : each.id;
    ids.add(id);
    return { ...each, id, turns: each.turns.map(asImported) };
  });
  return { conversations, knownCount: read.length - fresh.length, unreadCount: stored.length - read.length };
}

function conversationsOf(text: string): readonly unknown[] | null {
  try {
    const json: unknown = JSON.parse(text);
    if (!isRecordOf(json, ['format', 'conversations']) || json.format !== 'turnpike-chats') return null;
    return Array.isArray(json.conversations) ? json.conversations : null;
  } catch {
    return null;
  }
}

/** Gives an imported turn a new id, because this page identifies turns by id. */
function asImported(turn: Turn): Turn {
  const { before, after, answer, beside } = turn;
  return {
    ...turn,
    id: newId(),
    answer: answer === null ? null : withoutProof(answer),
    ...(beside && {
      beside: { ...beside, id: newId(), answer: beside.answer === null ? null : withoutProof(beside.answer) },
    }),
    ...(before && { before: before.map((tail) => tail.map(asImported)) }),
    ...(after && { after: after.map((tail) => tail.map(asImported)) }),
  };
}

function withoutProof(answer: Answer): Answer {
  return {
    ...answer,
    conclusion: null,
    signature: answer.signature.state === 'none' ? answer.signature : { state: 'unavailable', sentence: VOUCHED_FOR },
  };
}
