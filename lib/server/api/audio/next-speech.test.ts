import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { setServedApi } from '../../http/served-api';
import { nextRoute } from '../../http/next-adapter';
import { samplesFor, scriptedSpeech, type SpeechScript, tone, wavHead } from '@/test/scripted-speech';
import { speechGateway } from '@/test/speech-gateway';
import { throughEntry } from '@/test/through-entry';

const TEXT = 'The first sentence. The second one.';

/** Calls the endpoint as Next's route does. */
async function stage(script: SpeechScript = tone()) {
  const server = await scriptedSpeech(script);
  const gateway = await speechGateway({ upstreams: [{ name: 'test', url: server.url }] });
  setServedApi(gateway.gateway);
  const { POST } = nextRoute('/api/v1/audio/speech');
  const post = (body: object, signal?: AbortSignal) =>
    throughEntry(
      POST,
      new Request(`${gateway.origin}/api/v1/audio/speech`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
    );
  const details = async () => {
    for (let i = 0; i < 100 && (await gateway.charges()).length === 0; i++) await sleep(10);
    return (await gateway.charges()).map(({ detail }) => detail);
  };
  return { post, server, details };
}

const secondFails: SpeechScript = async (asked, response) => {
  if (asked.body.input.startsWith('The first')) return tone()(asked, response);
  response.writeHead(200, { 'content-type': 'audio/wav' });
  response.write(Buffer.concat([wavHead(0xffffffff), Buffer.from(samplesFor('The').buffer)]));
  await sleep(50);
  response.destroy();
};

it('behind Next, a whole file is whole, as its header says', async () => {
  const { post } = await stage();
  const response = await post({ input: TEXT, response_format: 'wav' });
  const bytes = await response.arrayBuffer();
  expect([response.status, new DataView(bytes).getUint32(40, true)]).toEqual([200, bytes.byteLength - 44]);
});

it('behind Next, a stream is whole and charged', async () => {
  const { post, details } = await stage();
  const response = await post({ input: TEXT, response_format: 'pcm', streaming: true });
  // Each character has 240 samples of 16 bits. A pause of 0.3 s follows the first of the two sentences.
  expect((await response.arrayBuffer()).byteLength).toBe(TEXT.length * 480 + 0.3 * 24_000 * 2);
  expect(await details()).toEqual([`${TEXT.length} characters`]);
});

it('behind Next, a stream that fails breaks off, with what came before charged', async () => {
  const { post, details } = await stage(secondFails);
  const response = await post({ input: TEXT, response_format: 'pcm', streaming: true });
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow();
  expect(await details()).toEqual(['20 characters']);
});

it('behind Next, a reader who stops is charged what the upstream was sent, which stops', async () => {
  const { post, details, server } = await stage((asked, response) => {
    if (asked.body.input.startsWith('The first')) return tone()(asked, response);
    response.writeHead(200, { 'content-type': 'audio/wav' });
    response.write(wavHead(0xffffffff));
  });
  const reader = (
    (await post({ input: TEXT, response_format: 'pcm', streaming: true })).body as ReadableStream<Uint8Array>
  ).getReader();
  await reader.read();
  while (server.asked.length < 2) await sleep(5);
  await reader.cancel();
  expect(await server.asked[1]?.aborted).toBe(true);
  expect(await details()).toEqual(['35 characters']);
});
