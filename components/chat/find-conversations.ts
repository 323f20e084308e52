import { type Conversation, titleOf } from './conversation';

/** `around` has the words around the first match; null if only the title matches. */
export interface FoundConversation {
  conversation: Conversation;
  excerpt: string | null;
}

const WORDS_MAX = 8;
const EXCERPT_CHARACTERS = 90;
const BEFORE_CHARACTERS = 30;

/** Finds conversations whose title, questions, files or answers contain every word of a query, ignoring case. */
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
