import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IMAGE_LINE } from '@/lib/protocol/chat/attachments';
import { areAttachedPictures, isPictureFile } from './attached-pictures';
import { type Conversation, messagesOf, newConversation, titleOf, withQuestion } from './conversation';
import { picturedMessages } from './pictured-messages';
import { askedAgain, withAnswer } from './turn-versions';

const picture = (id: string) => ({ id, name: `${id}.png`, width: 2, height: 1, bytes: 9 });
const load = (id: string) => Promise.resolve(id === 'gone' ? null : new Blob([id], { type: 'image/png' }));
const SEER = { id: 'seer', can: { see: true } };
const BLIND = { id: 'blind', can: { see: false } };

beforeEach(() => {
  vi.stubGlobal(
    'FileReader',
    class {
      result = '';
      onload = () => undefined;
      onerror = () => undefined;
      readAsDataURL(blob: Blob): void {
        void blob.text().then((text) => {
          this.result = `data:${blob.type};base64,${btoa(text)}`;
          this.onload();
        });
      }
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

const settings = { modelId: null, systemPrompt: '', schemaText: '' };
const ANSWER = { text: 'Blue.' } as NonNullable<Conversation['turns'][number]['answer']>;

/** A conversation whose questions have these pictures; all but the last are answered. */
function asked(...questions: (readonly string[])[]): Conversation {
  return questions.reduce(
    (conversation, ids, index) => {
      const next = withQuestion(conversation, `Question ${index}`, index, [], null, ids.map(picture));
      return index === questions.length - 1
        ? next.conversation
        : withAnswer(next.conversation, next.turnId, ANSWER, index);
    },
    newConversation(settings, 0),
  );
}
const sent = (conversation: Conversation, model = SEER) => picturedMessages(messagesOf(conversation), model, load);
const image = (id: string) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${btoa(id)}` } });

describe('a model that sees', () => {
  it('is sent the pictures of every question, after its words', async () => {
    expect(await sent(asked(['a'], ['b', 'c']))).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Question 0' }, image('a')] },
      { role: 'assistant', content: 'Blue.' },
      { role: 'user', content: [{ type: 'text', text: 'Question 1' }, image('b'), image('c')] },
    ]);
  });

  it('is sent the newest eight, and a line of text for each older one and each that is gone', async () => {
    const four = ['a', 'b', 'c', 'd'];
    const messages = await sent(asked(['x', 'y'], four, ['e', 'gone', 'f', 'g'], ['h']));
    expect(messages[0]?.content).toBe(`Question 0\n${IMAGE_LINE}\n${IMAGE_LINE}`);
    expect(messages[4]?.content).toContainEqual({ type: 'text', text: IMAGE_LINE });
    expect(JSON.stringify(messages).match(/"image_url":\{/g)).toHaveLength(8);
  });

  it('is asked nothing without the pictures of the question itself', async () => {
    await expect(sent(asked(['gone']))).rejects.toThrow('gone.png is no longer in this browser');
  });

  it('is sent a picture without words alone', async () => {
    const { conversation } = withQuestion(newConversation(settings, 0), '', 0, [], null, [picture('a')]);
    expect((await sent(conversation))[0]?.content).toEqual([image('a')]);
    expect(titleOf(conversation)).toBe('a.png');
  });
});

describe('a model that does not see', () => {
  it('is sent a line of text for earlier pictures, and is not asked about new ones', async () => {
    expect((await sent(asked(['a'], []), BLIND))[0]?.content).toBe(`Question 0\n${IMAGE_LINE}`);
    await expect(sent(asked(['a']), BLIND)).rejects.toThrow('blind does not see pictures');
  });
});

it('a question that is asked again keeps its pictures', () => {
  const conversation = asked(['a']);
  const [turn] = conversation.turns;
  const again = askedAgain(conversation, turn!.id, { question: 'New', side: null, besideModelId: null }, 9);
  expect(again.turns[0]?.pictures).toEqual([picture('a')]);
});

it('stored pictures are taken only where they are whole, and SVG is text', () => {
  expect(areAttachedPictures([picture('a')])).toBe(true);
  for (const foreign of [null, {}, [null], [{ ...picture('a'), width: 0 }], [{ ...picture('a'), bytes: '9' }]])
    expect(areAttachedPictures(foreign)).toBe(false);
  expect(['image/png', 'image/heic', 'image/svg+xml', 'text/plain', ''].map((type) => isPictureFile({ type }))).toEqual(
    [true, true, false, false, false],
  );
});
