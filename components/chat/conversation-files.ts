import { newId } from '@/lib/browser/page/new-id';
import { questionText } from './attached-files';
import { type Answer, type Conversation, titleOf, type Turn } from './conversation';
import { chatKeptWords } from './kept-words';
import { isRecordOf, readConversations } from './read-conversations';

export interface ImportedConversations {
  conversations: readonly Conversation[];
  knownCount: number;
  unreadCount: number;
}

export const IMPORT_BYTES_MAX = 50_000_000;
const VOUCHED_FOR = chatKeptWords.importedAnswer;

/**
 * Reads an export of conversations. Drops the verification results, because anyone can edit the file. Skips a
 * conversation of which this browser has the same or a newer version. Adds a newer version under a new id, beside the older.
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

/** Gives the turn a new id, because the page identifies turns by id. */
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
    schemaFaults: null,
  };
}

/** Exports conversations as JSON in their stored form. The export contains no API keys. */
export function conversationsExport(conversations: readonly Conversation[], nowMs: number): string {
  return `${JSON.stringify({ format: 'turnpike-chats', version: 1, exportedAt: new Date(nowMs).toISOString(), conversations }, null, 2)}\n`;
}

/** Formats a conversation as Markdown: each question quoted under a heading, each answer unchanged. */
export function conversationMarkdown(conversation: Conversation): string {
  const { systemPrompt, turns } = conversation;
  const parts = [`# ${titleOf(conversation)}`];
  if (systemPrompt.trim() !== '') parts.push('## System', quoted(systemPrompt));
  for (const { question, files, pictures = [], answer, beside } of turns) {
    parts.push('## You', quoted([questionText(question, files), ...pictures.map(chatKeptWords.picture)].join('\n')));
    for (const given of [answer, beside?.answer ?? null]) {
      if (given !== null)
        parts.push(`## ${given.modelId}`, given.text.trim() === '' ? '*No answer.*' : given.text.trim());
      if (given?.problem) parts.push(`*${given.problem}*`);
    }
  }
  return `${parts.join('\n\n')}\n`;
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** `excerpt`: words around the query's first word; null if the title has that word. */
interface FoundConversation {
  conversation: Conversation;
  excerpt: string | null;
}

const WORDS_MAX = 8;
const EXCERPT_CHARACTERS = 90;
const BEFORE_CHARACTERS = 30;

/**
 * Finds conversations whose title, questions, attachments or answers contain a query's first eight words, ignoring
 * case.
 */
export function findConversations(conversations: readonly Conversation[], query: string): readonly FoundConversation[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);
  if (words.length === 0) return conversations.map((conversation) => ({ conversation, excerpt: null }));
  return conversations.flatMap((conversation) => {
    const title = titleOf(conversation).toLocaleLowerCase();
    const texts = conversation.turns.flatMap(({ question, files = [], pictures = [], answer, beside }) => [
      question,
      ...files.flatMap(({ name, text }) => [name, text]),
      ...pictures.map(({ name }) => name),
      answer?.text ?? '',
      beside?.answer?.text ?? '',
    ]);
    const lower = texts.map((text) => text.toLocaleLowerCase());
    if (!words.every((word) => title.includes(word) || lower.some((text) => text.includes(word)))) return [];
    const first = words[0] as string;
    const index = lower.findIndex((text) => text.includes(first));
    return {
      conversation,
      excerpt:
        index === -1 || title.includes(first)
          ? null
          : excerptAt(texts[index] as string, (lower[index] as string).indexOf(first)),
    };
  });
}

function excerptAt(text: string, place: number): string {
  const start = Math.max(0, place - BEFORE_CHARACTERS);
  const cut = text
    .slice(start, start + EXCERPT_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${cut}${start + EXCERPT_CHARACTERS < text.length ? '…' : ''}`;
}
