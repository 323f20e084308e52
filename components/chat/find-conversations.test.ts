import { describe, expect, it } from 'vitest';
import type { Conversation } from './conversation';
import { findConversations } from './conversation-files';

const conversation = (id: string, title: string | null, ...questions: string[]): Conversation => ({
  id,
  title,
  createdAtMs: 0,
  updatedAtMs: 0,
  modelId: null,
  systemPrompt: '',
  schemaText: '',
  turns: questions.map((question, index) => ({ id: `${id}${index}`, question, askedAtMs: 0, answer: null })),
});
const kept = [
  conversation('a', 'Gas prices', 'What does a transfer cost?'),
  conversation('b', null, 'Hello', `${'before '.repeat(20)}the Transfer of tokens${' after'.repeat(40)}`),
  conversation('c', 'Voices', 'Which is best?'),
];
const idsOf = (query: string) => findConversations(kept, query).map(({ conversation: { id } }) => id);

describe('conversations by what was said in them', () => {
  it('are all there for an empty query', () => {
    expect(idsOf('  ')).toEqual(['a', 'b', 'c']);
  });

  it('are found by title and by text, in any case, and by all words at once', () => {
    expect(idsOf('TRANSFER')).toEqual(['a', 'b']);
    expect(idsOf('gas transfer')).toEqual(['a']);
    expect(idsOf('transfer voices')).toEqual([]);
  });

  it('tell where a word is that the title does not have', () => {
    const [inText, deep] = findConversations(kept, 'transfer');
    expect(inText?.excerpt).toBe('What does a transfer cost?');
    expect(deep?.excerpt).toMatch(/^….*Transfer of tokens.*…$/);
    expect(findConversations(kept, 'voices')[0]?.excerpt).toBeNull();
  });

  it.each(['[', '(.*)+$', '\\', 'İ', '💸'])('take %j for what it is, not for a pattern', (query) => {
    expect(idsOf(query)).toEqual([]);
  });
});
