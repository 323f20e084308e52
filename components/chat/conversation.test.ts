import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { type Answer, type Conversation, messagesOf, newConversation, titleOf, withQuestion } from './conversation';
import { conversationsExport } from './conversation-files';
import { readConversations } from './read-conversations';
import { askedAgain, everyTurn, stepped, versionPlaceOf, withAnswer } from './turn-versions';

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
  return pairs.reduce(
    (conversation, [question, text]) => {
      const asked = withQuestion(conversation, question, 2);
      return text === null ? asked.conversation : withAnswer(asked.conversation, asked.turnId, answer(text), 3);
    },
    newConversation({ modelId: 'guide', systemPrompt: '', schemaText: '' }, 1),
  );
}

const again = (question: string | null = null) => ({ question, side: null, besideModelId: null });

const said = ({ turns }: Conversation) => turns.map(({ question, answer: given }) => [question, given?.text ?? null]);

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
    expect(messagesOf({ ...talk(['lost', ''], ['lost too', null], ['asked', null]), systemPrompt: ' \n' })).toEqual([
      { role: 'user', content: 'asked' },
    ]);
  });

  it('keeps what followed a question that is edited as an earlier version, and steps back to it', () => {
    const conversation = talk(['one', 'first'], ['two', 'second'], ['three', 'third']);
    const turnId = conversation.turns[1]?.id ?? '';
    const edited = askedAgain(conversation, turnId, again('other'), 9);
    expect(said(edited)).toEqual([
      ['one', 'first'],
      ['other', null],
    ]);
    const shown = edited.turns[1]!;
    expect(shown.id).not.toBe(turnId);
    expect(versionPlaceOf(shown)).toEqual({ number: 2, count: 2 });
    const back = stepped(edited, shown.id, -1);
    expect(said(back)).toEqual(said(conversation));
    expect(versionPlaceOf(back.turns[1]!)).toEqual({ number: 1, count: 2 });
    expect(said(stepped(back, turnId, 1))).toEqual(said(edited));
    expect(stepped(back, turnId, -1)).toBe(back);
    expect(askedAgain(conversation, turnId, again(), 9).turns[1]?.question).toBe('two');
    expect(askedAgain(conversation, 'none', again('x'), 9)).toBe(conversation);
  });

  it('loses no version, whatever is asked again and stepped through', () => {
    const random = new SeededRandom(15);
    let conversation = talk(['0', 'a0'], ['1', 'a1']);
    const asked = new Set(conversation.turns.map(({ id }) => id));
    for (let step = 0; step < 300; step++) {
      const turn = conversation.turns[Math.floor(random.next() * conversation.turns.length)]!;
      const choice = random.next();
      if (choice < 0.15) conversation = askedAgain(conversation, turn.id, again(`q${step}`), step);
      else if (choice < 0.3) conversation = withQuestion(conversation, `q${step}`, step).conversation;
      else conversation = stepped(conversation, turn.id, choice < 0.65 ? -1 : 1);
      conversation.turns.forEach(({ id }) => asked.add(id));
    }
    expect(new Set(everyTurn(conversation.turns).map(({ id }) => id))).toEqual(asked);
    expect(everyTurn(conversation.turns)).toHaveLength(asked.size);
    expect(readConversations(JSON.parse(JSON.stringify([conversation])))).toEqual([conversation]);
  });

  it('takes an answer to a version that is not shown any more', () => {
    const conversation = talk(['one', null]);
    const turnId = conversation.turns[0]?.id ?? '';
    const other = askedAgain(conversation, turnId, again(), 2);
    const answered = withAnswer(other, turnId, answer('late'), 3);
    expect(answered.turns[0]?.answer).toBeNull();
    expect(stepped(answered, answered.turns[0]!.id, -1).turns[0]?.answer?.text).toBe('late');
  });

  describe('with two models', () => {
    const begun = newConversation({ modelId: 'guide', besideModelId: 'tee', systemPrompt: '', schemaText: '' }, 1);
    const asked = withQuestion(begun, 'one', 2, [], 'tee').conversation;
    const ids = (conversation: Conversation) => {
      const turn = conversation.turns.at(-1)!;
      return { main: turn.id, beside: turn.beside?.id ?? '' };
    };
    const both = (['main', 'beside'] as const).reduce(
      (conversation, side) => withAnswer(conversation, ids(asked)[side], answer(side), 3),
      asked,
    );

    it('keeps the answer of each, also in storage', () => {
      expect(both.turns[0]).toMatchObject({
        answer: { text: 'main' },
        beside: { modelId: 'tee', answer: { text: 'beside' } },
      });
      expect(readConversations(JSON.parse(JSON.stringify([both])))).toEqual([both]);
      const { turns: _turns, ...rest } = both;
      const damaged = { ...rest, turns: [{ ...both.turns[0], beside: { id: '', modelId: 'tee', answer: null } }] };
      expect(readConversations([damaged])).toEqual([]);
    });

    it('sends each model its own earlier answers, and the other’s where it has none', () => {
      const next = withQuestion(both, 'two', 4, [], 'tee').conversation;
      expect(messagesOf(next, 'beside').map(({ content }) => content)).toEqual(['one', 'beside', 'two']);
      expect(messagesOf(next).map(({ content }) => content)).toEqual(['one', 'main', 'two']);
      const alone = withQuestion(talk(['one', 'first']), 'two', 4, [], 'tee').conversation;
      expect(messagesOf(alone, 'beside').map(({ content }) => content)).toEqual(['one', 'first', 'two']);
    });

    it('asks one of them again and keeps the answer of the other, in a version of its own', () => {
      for (const side of ['main', 'beside'] as const) {
        const other = side === 'main' ? 'beside' : 'main';
        const conversation = askedAgain(both, ids(both).main, { question: null, side, besideModelId: 'tee' }, 5);
        expect(versionPlaceOf(conversation.turns[0]!)).toEqual({ number: 2, count: 2 });
        expect(ids(conversation)[other]).toBe(ids(both)[other]);
        expect(ids(conversation)[side]).not.toBe(ids(both)[side]);
        const { answer: main, beside } = conversation.turns[0]!;
        expect([main?.text ?? null, beside?.answer?.text ?? null]).toEqual(
          side === 'main' ? [null, 'beside'] : ['main', null],
        );
        const back = stepped(conversation, conversation.turns[0]!.id, -1).turns[0];
        expect([back?.answer?.text, back?.beside?.answer?.text]).toEqual(['main', 'beside']);
      }
    });

    it('puts an answer that arrives after the other was asked again into both versions', () => {
      const half = withAnswer(asked, ids(asked).beside, answer('beside'), 3);
      const conversation = askedAgain(
        half,
        ids(half).main,
        { question: null, side: 'beside', besideModelId: 'tee' },
        4,
      );
      const late = withAnswer(conversation, ids(asked).main, answer('late'), 5);
      expect(late.turns[0]?.answer?.text).toBe('late');
      expect(stepped(late, late.turns[0]!.id, -1).turns[0]?.answer?.text).toBe('late');
    });

    it('keeps no version of an answer that came to nothing', () => {
      const failed = withAnswer(both, ids(both).beside, answer(''), 4);
      const conversation = askedAgain(
        failed,
        ids(failed).main,
        { question: null, side: 'beside', besideModelId: 'tee' },
        5,
      );
      expect(versionPlaceOf(conversation.turns[0]!)).toBeNull();
      expect(conversation.turns[0]?.answer?.text).toBe('main');
    });

    it('asks both again, or only the first once the second is gone', () => {
      const again = { question: 'other', side: null };
      const two = askedAgain(both, ids(both).main, { ...again, besideModelId: 'tee' }, 5);
      expect(two.turns[0]).toMatchObject({ answer: null, beside: { answer: null } });
      expect(askedAgain(both, ids(both).main, { ...again, besideModelId: null }, 5).turns[0]?.beside).toBeUndefined();
    });
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
    [
      'an answer of another shape',
      [{ ...kept[0], turns: [{ id: 'x', question: '', askedAtMs: 1, answer: { text: 1 } }] }],
      [],
    ],
    [
      'times that no date has',
      [
        { ...kept[0], updatedAtMs: 8.64e15 + 1 },
        { ...kept[0], createdAtMs: -1e300 },
      ],
      [],
    ],
    [
      'an unknown verdict',
      [
        {
          ...kept[0],
          turns: [{ id: 'x', question: '', askedAtMs: 1, answer: answer('x', { conclusion: 'present' as never }) }],
        },
      ],
      [],
    ],
    [
      'an unknown state of a signature',
      [
        {
          ...kept[0],
          turns: [
            {
              id: 'x',
              question: '',
              askedAtMs: 1,
              answer: answer('x', { signature: { state: 'yes' as never, sentence: '' } }),
            },
          ],
        },
      ],
      [],
    ],
  ])('leaves out %s', (_what, stored, expected) => {
    expect(readConversations(stored)).toEqual(expected);
  });

  it('is exported whole, and read again', () => {
    const { format, conversations } = JSON.parse(conversationsExport(kept, 5)) as {
      format: string;
      conversations: unknown;
    };
    expect(format).toBe('turnpike-chats');
    expect(readConversations(conversations)).toEqual(kept);
  });
});
