import { describe, expect, test } from 'vitest';
import { answerBoundOf, boundedText, ERROR_BODY_BYTES_MAX, errorText } from './bounded-answer';
import { boundedResponse } from './bounded-response';
import { readBalance } from './billing';
import { LateAnswerError, OversizedAnswerError, UnreachableError } from './gateway-error';
import { createTurnpikeClient } from './turnpike-client';

/** Returns a body of equal chunks, endless by default. */
function chunked(chunk: Uint8Array<ArrayBuffer>, chunks = Infinity) {
  const seen = { chunks: 0, isLeft: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (seen.chunks++ >= chunks) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: () => void (seen.isLeft = true),
  });
  return { seen, response: new Response(body) };
}

/** Returns a response whose body stops after its beginning. */
const stalled = (beginning = 'x') =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
    }),
  );

const ONE = Uint8Array.of(0x78);
const KIB = new Uint8Array(1_024).fill(0x78);

describe('an answer with a bound', () => {
  test('is the same as without where it keeps to it', async () => {
    const response = boundedResponse(new Response('whole', { status: 201, headers: { 'x-a': 'b' } }), {
      bytesMax: 10_000,
      timeoutMs: 1_000,
    });
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([201, 'b', 'whole']);
  });

  test('ends with an error beyond it, and its sender hears that nobody reads', async () => {
    const { seen, response } = chunked(KIB);
    await expect(
      boundedResponse(response, { bytesMax: 10_240, timeoutMs: 10_000 }).arrayBuffer(),
    ).rejects.toBeInstanceOf(OversizedAnswerError);
    expect(seen).toEqual({ chunks: expect.closeTo(11, -1), isLeft: true });
  });

  test('of chunks of one byte ends after as many as a reader can keep', async () => {
    const { seen, response } = chunked(ONE);
    await expect(boundedResponse(response, { bytesMax: 1_000_000, timeoutMs: 10_000 }).text()).rejects.toBeInstanceOf(
      OversizedAnswerError,
    );
    expect(seen.chunks).toBeLessThan(4_000);
  });

  test('that stalls ends with an error in its time', async () => {
    await expect(boundedResponse(stalled(), { bytesMax: 1_000, timeoutMs: 50 }).text()).rejects.toBeInstanceOf(
      LateAnswerError,
    );
    await expect(boundedText(stalled(), 10, 50)).rejects.toBeInstanceOf(LateAnswerError);
  });

  test('does not run against a reader that takes its time', async () => {
    const reader = boundedResponse(chunked(KIB, 3).response, { bytesMax: 10_000, timeoutMs: 60 }).body!.getReader();
    for (let chunk = 0; chunk < 3; chunk++) {
      await new Promise((resolve) => setTimeout(resolve, 40));
      expect((await reader.read()).done).toBe(false);
    }
    expect((await reader.read()).done).toBe(true);
  });
});

describe('a text', () => {
  test('of half a million chunks of one byte is read in memory and time of its length', async () => {
    const [{ response }, before] = [chunked(ONE, 500_000), process.memoryUsage.rss()];
    const started = performance.now();
    expect((await boundedText(response, 500_000)).length).toBe(500_000);
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(120 * 1_048_576);
  }, 60_000);

  test('of a refusal without end that was cloned does not wait for the other half', async () => {
    const { response } = chunked(KIB);
    expect((await errorText(response.clone())).length).toBe(ERROR_BODY_BYTES_MAX);
  });
});

describe('every endpoint has a bound', () => {
  test.each([
    '/api/v1/models?type=tts',
    '/api/v1/billing/usage?limit=1',
    '/api/settings',
    '/prefix/api/v1/crypto/rpc/networks',
    '/nothing',
  ])('%s: of a few megabytes', (path) => {
    expect(answerBoundOf(path).bytesMax).toBeLessThanOrEqual(8 * 1_048_576);
  });

  test.each([
    '/prefix/api/v1/crypto/rpc/base-mainnet',
    '/api/v1/chat/completions',
    '/api/v1/audio/speech',
    '/api/v1/embeddings',
    '/api/v1/images/generations',
    '/api/v1/audio/transcriptions',
    '/api/v1/image/generate',
    '/api/v1/video/retrieve',
  ])('%s: of what it can be', (path) => {
    expect(answerBoundOf(path).bytesMax).toBeGreaterThan(64 * 1_048_576);
  });

  test('an endless answer is left: a list, and what is read as it is', async () => {
    const options = {
      baseUrl: 'http://gateway.example',
      fetch: () => Promise.resolve(chunked(new Uint8Array(1_048_576).fill(0x20)).response),
    };
    await expect(readBalance(options)).rejects.toBeInstanceOf(OversizedAnswerError);
    await expect(createTurnpikeClient(options).read('/api/v1/models')).rejects.toBeInstanceOf(OversizedAnswerError);
  });

  test('one that breaks off is unreachable, as before', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
    await expect(
      readBalance({ baseUrl: 'http://gateway.example', fetch: () => Promise.resolve(new Response(broken)) }),
    ).rejects.toBeInstanceOf(UnreachableError);
  });
});
