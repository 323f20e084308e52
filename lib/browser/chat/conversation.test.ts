import { describe, expect, it } from 'vitest';
import { type Answer, askedAgain, type Conversation, messagesOf, newConversation, titleOf, withAnswer, withQuestion } from './conversation';
import { withinBounds } from './conversation-store';
import { conversationsExport } from './export-conversations';
import { readConversations } from './read-conversations';

const answer = (text: string, change: Partial<Answer> = {}): Answer => ({
  text,
  end: 'whole',
  problem: null,
  modelId: 'guide',
  isEncrypted: false,
  conclusion: null,
  signature: { state: 'none', sentence: '' },
  schemaFaults: null,
  promptTokens: 3,
  completionTokens: 4,
  costNanoUsd: 12,
  firstTokenMs: 5,
  totalMs: 20,
  ...change,
});

function talk(...pairs: readonly [question: string, answer: string | null][]): Conversation {
  return pairs.reduce((conversation, [question, text]) => {
    const asked = withQuestion(conversation, question, 2);
    return text === null ? asked.conversation : withAnswer(asked.conversation, asked.turnId, answer(text), 3);
  }, newConversation({ modelId: 'guide', systemPrompt: '', schemaText: '' }, 1));
}

describe('a conversation', () => {
  it('asks with everything that was said before, the system first', () => {
    const conversation = { ...talk(['one', 'first'], ['two', 'second'], ['three', null]), systemPrompt: 'Be brief.' };
    expect(messagesOf(conversation)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'first' },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: 'second' },
      { role: 'user', content: 'three' },
    ]);
  });

  it('does not repeat a question that got no answer, nor a blank system prompt', () => {
    expect(messagesOf({ ...talk(['lost', ''], ['lost too', null], ['asked', null]), systemPrompt: ' \n' })).toEqual([{ role: 'user', content: 'asked' }]);
  });

  it('forgets what followed a question that is edited, and its answer', () => {
    const conversation = talk(['one', 'first'], ['two', 'second'], ['three', 'third']);
    const turnId = conversation.turns[1]?.id ?? '';
    const edited = askedAgain(conversation, turnId, 'other', 9);
    expect(edited.turns.map(({ question, answer: given }) => [question, given?.text ?? null])).toEqual([['one', 'first'], ['other', null]]);
    expect(askedAgain(conversation, turnId, null, 9).turns[1]?.question).toBe('two');
    expect(askedAgain(conversation, 'none', 'x', 9)).toBe(conversation);
  });

  it('is called by its first question until it has a title', () => {
    expect(titleOf(talk())).toBe('New conversation');
    expect(titleOf(talk([' How\n do  I ', 'x']))).toBe('How do I');
    expect(titleOf(talk(['x'.repeat(200), null]))).toHaveLength(60);
    expect(titleOf({ ...talk(['one', null]), title: 'Mine' })).toBe('Mine');
  });
});

describe('what is kept', () => {
  const kept = [talk(['one', 'first']), talk(['two', null])];

  it('comes back from storage as it was', () => {
    expect(readConversations(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });

  it.each([
    ['no list', { a: 1 }, null],
    ['nothing', null, null],
    ['what is no conversation', [null, 3, 'x', {}, { ...kept[0], turns: [{}] }], []],
    ['an answer of another shape', [{ ...kept[0], turns: [{ id: 'x', question: '', askedAtMs: 1, answer: { text: 1 } }] }], []],
    ['an unknown verdict', [{ ...kept[0], turns: [{ id: 'x', question: '', askedAtMs: 1, answer: answer('x', { conclusion: 'present' as never }) }] }], []],
    ['an unknown state of a signature', [{ ...kept[0], turns: [{ id: 'x', question: '', askedAtMs: 1, answer: answer('x', { signature: { state: 'yes' as never, sentence: '' } }) }] }], []],
  ])('leaves out %s', (_what, stored, expected) => {
    expect(readConversations(stored)).toEqual(expected);
  });

  it('is bounded, the oldest going first, and the first staying whatever its length', () => {
    const [first, second] = kept as [Conversation, Conversation];
    expect(withinBounds([first, second], 10)).toEqual([first]);
    expect(withinBounds(Array.from({ length: 150 }, () => second))).toHaveLength(100);
  });

  it('is exported whole, and read again', () => {
    const { format, conversations } = JSON.parse(conversationsExport(kept, 5)) as { format: string; conversations: unknown };
    expect(format).toBe('turnpike-chats');
    expect(readConversations(conversations)).toEqual(kept);
  });
});
