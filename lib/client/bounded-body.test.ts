import { describe, expect, test } from 'vitest';
import { boundedText, ERROR_BODY_BYTES_MAX } from './bounded-answer';
import { OversizedAnswerError } from './gateway-error';
import { createTurnpikeClient, GatewayError } from './index';
import { streamChat } from './private-chat';
import { speak } from './speech';
import { retrieveVideo } from './video';

const PART_BYTES = 16_384;
/** Number of parts after which a test fails, before an unbounded reader fills the memory. */
const PARTS_GIVEN_MAX = 4 * (ERROR_BODY_BYTES_MAX / PART_BYTES);

/** Gateway with an endless answer. */
function endless(status: number) {
  const seen = { parts: 0, isLeft: false };
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        seen.parts++;
        if (seen.parts > PARTS_GIVEN_MAX) controller.close();
        else controller.enqueue(new Uint8Array(PART_BYTES).fill(0x78));
      },
      cancel() {
        seen.isLeft = true;
      },
    });
  return {
    seen,
    options: { baseUrl: 'http://gateway.example', fetch: () => Promise.resolve(new Response(body(), { status })) },
  };
}

describe('a refusal without end is left after its beginning, whatever was called', () => {
  const calls: Record<string, (options: ReturnType<typeof endless>['options']) => Promise<unknown>> = {
    'a JSON-RPC call': (options) => createTurnpikeClient(options).rpc('base-mainnet', '{}'),
    'a read of the reference': async (options) =>
      Promise.reject(
        new GatewayError((await createTurnpikeClient(options).read('/api/settings')).status, '', {} as never),
      ),
    'a chat': async (options) => {
      for await (const event of streamChat({
        connection: options,
        model: 'guide',
        messages: [{ role: 'user', content: 'Hello' }],
      }))
        expect(event.type).toBe('sent');
    },
    speech: (options) => speak(options, { input: 'Hello', model: 'm', voice: 'v', response_format: 'mp3' }),
    'a video': (options) => retrieveVideo(options, { model: 'm', queue_id: 'q' }),
  };
  test.each(Object.entries(calls))('%s', async (_what, call) => {
    const { seen, options } = endless(502);
    const error = await call(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ status: 502 });
    expect(seen.isLeft).toBe(true);
    expect(seen.parts * PART_BYTES).toBeLessThanOrEqual(ERROR_BODY_BYTES_MAX + 3 * PART_BYTES);
  });
});

describe('a bounded text', () => {
  test('of exactly the bound is whole, however its characters are divided', async () => {
    const bytes = new TextEncoder().encode('zwölf€');
    const divided = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await boundedText(new Response(divided), bytes.length)).toBe('zwölf€');
  });

  test('of one byte more is refused', async () => {
    await expect(boundedText(new Response('abcd'), 3)).rejects.toBeInstanceOf(OversizedAnswerError);
  });

  test('of an answer without a body is empty', async () => {
    expect(await boundedText(new Response(null, { status: 204 }), 0)).toBe('');
  });
});
