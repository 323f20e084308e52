import { describe, expect, it } from 'vitest';
import { type CompletionRequest, streamCompletion } from './completion-stream';

const chunk = (id: unknown, delta: unknown, finishReason: string | null = null) =>
  `data: ${JSON.stringify({ id, choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
const DONE = 'data: [DONE]\n\n';

/** Reads an encrypted answer with these events to its end. */
async function answerOf(events: readonly string[]) {
  const fetch = () =>
    Promise.resolve(new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } }));
  const request: CompletionRequest = {
    connection: { baseUrl: 'http://gateway.test', fetch },
    bodyText: '{}',
    headers: {},
    isEncrypted: true,
    open: (content) => content,
  };
  for await (const event of streamCompletion(request)) if (event.type === 'done') return event.answer;
  return expect.unreachable('no end');
}

describe('the id of an encrypted answer', () => {
  it.each([[''], [null], [undefined]])(
    'is that of the chunks that have one, where the first and the last have %j',
    async (none) => {
      const answer = await answerOf([
        chunk(none, { role: 'assistant' }),
        chunk('c', { content: 'Hello.' }),
        chunk('c', {}, 'stop'),
        chunk(none, {}),
        DONE,
      ]);
      expect(answer).toMatchObject({ completionId: 'c', text: 'Hello.', finishReason: 'stop' });
    },
  );

  it('is null if every chunk has an empty id, and no signature is requested for it', async () => {
    expect(await answerOf([chunk('', { content: 'Hello.' }), chunk('', {}, 'stop'), DONE])).toMatchObject({
      completionId: null,
    });
  });

  it.each([
    ['two ids', ['c', 'd']],
    ['two ids, with empty ones around them', ['', 'c', '', 'd', '']],
    ['an id that is no text', [7]],
  ])('is malformed with %s', async (_what, ids) => {
    await expect(
      answerOf([...ids.map((id) => chunk(id, { content: 'a' })), chunk(ids[0], {}, 'stop'), DONE]),
    ).rejects.toMatchObject({ code: 'REPLY_MALFORMED' });
  });
});
