import { describe, expect, it } from 'vitest';
import { refusingUrl } from '@/test/scripted-node';
import {
  levelOf,
  levelsOf,
  refusesSpeech,
  samplesFor,
  scriptedSpeech,
  type SpeechScript,
  tone,
  wavHead,
} from '@/test/scripted-speech';
import { speechGateway } from '@/test/speech-gateway';

const TEXT = 'Hello there. And you?';
const LEVELS = [...TEXT].map(levelOf);
const bothWays = [false, true];

/** Starts two speech servers. The test scripts the first. */
async function two(script: SpeechScript, settings: object = {}, second: SpeechScript = tone()) {
  const [first, other] = [await scriptedSpeech(script), await scriptedSpeech(second)];
  const gateway = await speechGateway({
    upstreams: [
      { name: 'first', url: first.url, key: 'sk-first' },
      { name: 'other', url: other.url },
    ],
    firstByteTimeoutMs: 400,
    ...settings,
  });
  return { first, other, ...gateway };
}

/** Returns the spoken samples of a stream, without pauses. */
const saidIn = (wav: Buffer): number[] => levelsOf(wav.subarray(44)).filter((level) => level !== 0);

/** Sends a header and half of the first audio, then closes the connection. */
const breaksOff: SpeechScript = ({ body }, response) => {
  const pcm = Buffer.from(samplesFor(body.input).buffer);
  response.writeHead(200, { 'content-type': 'audio/wav' });
  response.write(Buffer.concat([wavHead(pcm.length), pcm.subarray(0, pcm.length / 2)]), () =>
    setTimeout(() => response.destroy(), 20),
  );
};

describe.each(bothWays)('where several servers have a model (streaming: %s)', (streaming) => {
  const body = { input: TEXT, response_format: 'wav', streaming };

  it.each<[string, SpeechScript]>([
    ['fails', refusesSpeech(500, { error: 'Out of voice.' })],
    ['is overloaded', refusesSpeech(429, { error: 'Later.' }, { 'retry-after': '7' })],
    ['has no credit', refusesSpeech(402, { error: 'Insufficient credits' })],
    ['is starting', refusesSpeech(503, '<html>Bad gateway</html>')],
    ['breaks off before anything', (_asked, response) => void response.destroy()],
    [
      'breaks off after its head',
      (_asked, response) =>
        void response.writeHead(200, { 'content-type': 'audio/wav' }).write(wavHead(4_800), () => response.destroy()),
    ],
    ['says nothing', () => undefined],
    ['answers with an error under 200', refusesSpeech(200, { error: 'Model not loaded' })],
    [
      'answers with a file without sound',
      (_asked, response) => void response.writeHead(200, { 'content-type': 'audio/wav' }).end(wavHead(0)),
    ],
  ])('one that %s is passed over for the next, unheard and uncharged', async (_name, script) => {
    const { ask, other, charges } = await two(script);
    const { status, headers, bytes } = await ask(body);
    expect(status).toBe(200);
    expect(saidIn(bytes)).toEqual(LEVELS);
    expect(headers.get('x-service-speech-engine')).toBe('other');
    expect(other.asked.map(({ body: { input } }) => input)).toEqual(streaming ? ['Hello there. ', 'And you?'] : [TEXT]);
    expect(await charges()).toEqual([
      { amount: TEXT.length * 15_000, detail: `${TEXT.length} characters`, resource: 'speech/tts-kokoro' },
    ]);
  });

  it('and the first cannot be reached, the next speaks, and does not get the key of the first', async () => {
    const other = await scriptedSpeech();
    const { ask } = await speechGateway({
      upstreams: [
        { name: 'first', url: `${await refusingUrl()}/v1`, key: 'sk-first' },
        { name: 'other', url: other.url },
      ],
    });
    expect(saidIn((await ask(body)).bytes)).toEqual(LEVELS);
    expect(other.asked[0]?.headers['authorization']).toBeUndefined();
  });

  it.each<[number, number, string]>([
    [400, 400, 'MODEL_REFUSED'],
    [401, 503, 'MODEL_MISCONFIGURED'],
    [422, 400, 'MODEL_REFUSED'],
  ])('a refusal of %i is passed on: the request is at fault, or the configuration', async (given, status, code) => {
    const { ask, other, charges } = await two(refusesSpeech(given, { error: 'No.' }));
    expect(await ask(body)).toMatchObject({ status, json: { code } });
    expect(other.asked).toEqual([]);
    expect(await charges()).toEqual([]);
  });

  it("and all fail, the last one's failure is told, and nothing charged", async () => {
    const { ask, charges, first, other } = await two(
      refusesSpeech(500, {}),
      {},
      refusesSpeech(429, {}, { 'retry-after': '9' }),
    );
    const { status, json, headers } = await ask(body);
    expect([status, json?.code, headers.get('retry-after')]).toEqual([503, 'MODEL_BUSY', '9']);
    expect([first.asked.length, other.asked.length]).toEqual([1, 1]);
    expect(await charges()).toEqual([]);
  });

  it('none is asked when the time for that is over', async () => {
    const { ask, other } = await two(() => undefined, { failoverTimeoutMs: 200 });
    expect((await ask(body)).json?.code).toBe('MODEL_TIMEOUT');
    expect(other.asked).toEqual([]);
  });

  it('one that keeps failing is asked last, and spoken by again when no other answers', async () => {
    const { ask, first, other } = await two(refusesSpeech(500, {}));
    for (let i = 0; i < 5; i++) expect((await ask(body)).status).toBe(200);
    expect(first.asked).toHaveLength(3);
    first.script = tone();
    other.script = refusesSpeech(500, {});
    expect((await ask(body)).headers.get('x-service-speech-engine')).toBe('first');
  });

  it('silence alone asks none', async () => {
    const { ask, first, other } = await two(tone());
    expect((await ask({ ...body, input: ' \n ' })).status).toBe(200);
    expect([...first.asked, ...other.asked]).toEqual([]);
  });

  it('a handle goes to those that made it', async () => {
    const [first, other] = [await scriptedSpeech(), await scriptedSpeech()];
    const { ask } = await speechGateway({
      upstreams: [
        { name: 'first', url: first.url },
        { name: 'other', url: other.url, acceptsHandles: true },
      ],
    });
    expect((await ask({ ...body, model: 'tts-chatterbox-hd', voice: 'vv_1' })).status).toBe(200);
    expect(first.asked).toEqual([]);
    expect(other.asked.length).toBeGreaterThan(0);
  });
});

describe('once something was heard', () => {
  it.each<[string, SpeechScript]>([
    ['in its first sentence', breaksOff],
    [
      'before its second sentence',
      (asked, response) =>
        asked.body.input.startsWith('Hello') ? tone()(asked, response) : refusesSpeech(500, {})(asked, response),
    ],
  ])('a stream that fails %s breaks off, and no other voice goes on', async (_name, script) => {
    const { speak, other } = await two(script);
    const response = await speak({ input: TEXT, response_format: 'wav', streaming: true });
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(other.asked).toEqual([]);
  });

  it('by nobody yet, since the file is whole before it is sent, another speaks it from the beginning', async () => {
    const { ask, charges } = await two(breaksOff);
    const { status, bytes } = await ask({ input: TEXT, response_format: 'wav' });
    expect([status, saidIn(bytes)]).toEqual([200, LEVELS]);
    expect(await charges()).toHaveLength(1);
  });
});
