import { newId } from '../new-id';
import { isRecordOf, readConversations } from './read-conversations';
import type { Answer, Conversation, Turn } from './conversation';
import { chatKeptWords } from '../words/chat-kept';

/** What came of a file of conversations: what is new, and how many were here already or could not be read. */
export interface ImportedConversations {
  conversations: readonly Conversation[];
  knownCount: number;
  unreadCount: number;
}

export const IMPORT_BYTES_MAX = 50_000_000;
const VOUCHED_FOR = chatKeptWords.importedAnswer;

/**
 * Reads an export of conversations. Nothing that it claims to have been verified counts here, since whoever wrote the
 * file could claim it. One that is here already, as it is or newer, is left alone; an older one here stays, and the
 * imported one is added beside it.
 * @returns null for what is no export
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

/** With ids of its own: what this page knows of a turn it knows by its id. */
function asImported(turn: Turn): Turn {
  const { before, after, answer } = turn;
  return {
    ...turn,
    id: newId(),
    answer: answer === null ? null : withoutProof(answer),
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
