import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SPEECH_MODELS, SPEECH_MODEL_IDS } from '@/lib/protocol/speech/speech-models';
import { embeddedVoice } from './embedded-voice';
import { EngineFailedError, EnginePool } from './engine-pool';
import {
  correlation,
  envelope,
  fundamental,
  hasEspeakProgram,
  smoothed,
  type SpeechUnderTest,
  spokenByProgram,
  startSpeech,
} from './speech-under-test';

const SENTENCES = [
  'The quick brown fox jumps over the lazy dog.',
  'A gateway stands between developers and the nodes of many networks.',
  'She sells sea shells by the sea shore, and he buys them.',
  'Is there anything that you would like to hear before we leave?',
  'On the 3rd of May 1998, 42 people paid 7.50 each.',
  'Never before had so many waited so long for so little.',
  'Rain fell all night; in the morning, the streets were clean.',
  'Please hold the line, your call is important to us.',
  'Mathematics is the queen of the sciences.',
  'Well, that was unexpected, but not unwelcome!',
];

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

function engineFile(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const threadFile = join(folder, 'engine.mjs');
  writeFileSync(threadFile, `import { parentPort, workerData } from 'node:worker_threads';\n${source}`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return threadFile;
}

/** Starts the speech server with a worker script from the test as its engine. */
async function withEngine(source: string, options: Parameters<typeof startSpeech>[0] = {}): Promise<SpeechUnderTest> {
  const speech = await startSpeech({ threads: 1, threadFile: engineFile(source), ...options });
  closers.push(() => speech.close());
  return speech;
}

describe('the embedded voice', () => {
  let speech: SpeechUnderTest;
  beforeAll(async () => {
    speech = await startSpeech({ threads: 1 });
    await speech.samples({ input: 'warm' });
  }, 60_000);
  afterAll(() => speech.close());

  const plainLengths = new Map<string, number>();
  /** Returns the number of samples at speed 1. Cached, because tests compare several speeds with it. */
  async function plainLength(input: string): Promise<number> {
    const length = plainLengths.get(input) ?? (await speech.samples({ input })).length;
    plainLengths.set(input, length);
    return length;
  }

  if (hasEspeakProgram)
    it('sounds like an independent eSpeak NG, in ten sentences', { timeout: 60_000 }, async () => {
      const asked = { model: 'tts-vendor3-1-5-max', voice: 'Ashley' } as const;
      const { name, pitch, range } = embeddedVoice(asked.model, asked.voice, '') ?? { name: '', pitch: 0, range: 0 };
      expect(range).toBe(50);
      const correlations: number[] = [];
      for (const input of SENTENCES) {
        const ours = smoothed(envelope(await speech.samples({ ...asked, input }), 24_000));
        correlations.push(
          correlation(
            ours,
            smoothed(envelope(spokenByProgram(input, name.replace('gmw/en-US', 'en-us'), pitch), 22_050)),
          ),
        );
      }
      expect(Math.min(...correlations)).toBeGreaterThan(0.9);
    });

  it('is neither silent nor cut off, in any voice', { timeout: 120_000 }, async () => {
    for (const model of SPEECH_MODEL_IDS) {
      for (const voice of SPEECH_MODELS[model].voices.filter((_, index) => index % 4 === 0)) {
        const samples = await speech.samples({ model, voice, input: 'Aha! Loud and clear.' });
        const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
        expect(peak, `${model} ${voice}`).toBeGreaterThan(3_000);
        expect(peak, `${model} ${voice}`).toBeLessThan(32_767);
      }
    }
  });

  it('differs between voices, models and languages, and hardly between two times', { timeout: 60_000 }, async () => {
    const input = 'One two three.';
    const shape = async (body: Record<string, unknown>) => envelope(await speech.samples({ input, ...body }), 24_000);
    const sky = await shape({});
    expect(correlation(sky, await shape({}))).toBeGreaterThan(0.97);
    const others = [
      { voice: 'af_bella' },
      { voice: 'am_adam' },
      { voice: 'bf_emma' },
      { model: 'tts-orpheus', voice: 'tara' },
      { language: 'fr' },
      { language: 'German' },
    ];
    for (const other of others) expect(correlation(sky, await shape(other)), JSON.stringify(other)).toBeLessThan(0.96);
    expect(await shape({ language: 'Klingon' })).toHaveLength(sky.length);
  });

  it.each([0.25, 0.5, 0.9, 1.5, 2.5, 4])('at speed %d lasts in proportion', { timeout: 60_000 }, async (speed) => {
    for (const input of [
      'Hi.',
      SENTENCES[0] as string,
      'One. Two, three; four: five! Six? And then a longer sentence, which goes on.',
    ]) {
      const plain = await plainLength(input);
      const changed = (await speech.samples({ input, speed })).length;
      expect(Math.abs((changed * speed) / plain - 1), `${input}`).toBeLessThan(0.05);
    }
  });

  it.each([
    ['letters', 'a', {}],
    ['letters that are spelled', 'w', {}],
    ['letters apart', 'w ', {}],
    ['a long word', 'extraordinarily', {}],
    ['digits', '1', {}],
    ['emoji', '😀', {}],
    ['Chinese', '我们今天一起去公园散步然后回家吃饭', {}],
    ['digits in Chinese', '7', { language: 'zh' }],
    ['Japanese with Han characters', '私今日公園行', { language: 'ja' }],
    ['kana', 'わたしはきょうこうえんにいきます', {}],
    ['Thai', 'ฉันรักประเทศไทยและอาหารไทยมาก', {}],
    ['Hangul', '안녕하세요반갑습니다', {}],
    ['Devanagari', 'नमस्तेदुनिया', {}],
    ['Cyrillic', 'здравствуйтетоварищ', {}],
  ])('says %s to the end, however many', { timeout: 60_000 }, async (_name, unit, body) => {
    const of = async (count: number) =>
      (await speech.samples({ input: [...unit.repeat(count)].slice(0, count).join(''), ...body })).length;
    // The engine alone drops everything after 200 characters of any kind.
    const [short, long] = [await of(100), await of(250)];
    expect(Math.abs(long / short / (250 / 100) - 1)).toBeLessThan(0.1);
  });

  it.each([0.25, 4])('says long words to the end at speed %d', { timeout: 60_000 }, async (speed) => {
    // Low speeds multiply the duration, so the texts are no longer than the test needs.
    for (const input of ['a'.repeat(210), '1'.repeat(60), '我们今天一起去公园散步'.repeat(20)]) {
      const plain = await plainLength(input);
      expect(Math.abs(((await speech.samples({ input, speed })).length * speed) / plain - 1), input).toBeLessThan(0.05);
    }
  });

  it('keeps its pitch at every speed', { timeout: 60_000 }, async () => {
    const plain = fundamental(await speech.samples({ input: SENTENCES[1] }));
    expect(plain).toBeGreaterThan(80);
    for (const speed of [0.25, 2, 4])
      expect(
        Math.abs(fundamental(await speech.samples({ input: SENTENCES[1], speed })) / plain - 1),
        `${speed}`,
      ).toBeLessThan(0.12);
  });

  it.each([
    '   ',
    '\n\t',
    '\u200b',
    '…',
    '!?',
    '😀',
    '☃★',
    '\u0001',
    'שלום',
    'مرحبا',
    'Привет',
    '你好',
    'こんにちは',
    '안녕',
    'नमस्ते',
    '<speak><break time="9s"/></speak>',
    '&#65;',
    "[[h@l'oU]]",
    'a\u0000b',
  ])('says %j, or is a little silence', async (input) => {
    const { length } = await speech.samples({ input });
    expect(length).toBeGreaterThan(2_400);
    expect(length).toBeLessThan(24_000 * 8);
  });

  it('reads markup and phonemes as text', async () => {
    const tag = await speech.samples({ input: '<b>x</b>' });
    const plain = await speech.samples({ input: 'x' });
    expect(tag.length).toBeGreaterThan(plain.length * 1.5);
  });

  it('answers WAV without sizes by default, and names its engine', async () => {
    const response = await speech.speak({ input: 'Hello.', response_format: undefined });
    expect(response.headers.get('content-type')).toBe('audio/wav');
    expect(response.headers.get('x-speech-engine')).toBe('espeak-ng');
    const file = Buffer.from(await response.arrayBuffer());
    expect([file.toString('latin1', 0, 4), file.readUInt32LE(24), file.readUInt32LE(40)]).toEqual([
      'RIFF',
      24_000,
      0xffffffff,
    ]);
  });

  it('lists models and voices, each pair with another embedded voice', async () => {
    const { voices } = (await (await fetch(`${speech.url}/audio/voices`)).json()) as { voices: { embedded: object }[] };
    expect(new Set(voices.map(({ embedded }) => JSON.stringify(embedded))).size).toBe(voices.length);
    expect(((await (await fetch(`${speech.url}/models`)).json()) as { data: unknown[] }).data).toHaveLength(
      SPEECH_MODEL_IDS.length,
    );
  });

  it.each([
    [400, { input: '' }],
    [400, { input: 'a'.repeat(4_097) }],
    [400, { input: 5 }],
    [400, { input: 'a', speed: 0.2 }],
    [400, { input: 'a', speed: 4.1 }],
    [400, { input: 'a', response_format: 'mp3' }],
    [400, { input: 'a', voice: 'nobody' }],
    [400, { input: 'a', model: 'tts-none' }],
  ])('answers %i to %j', async (status, body) => {
    expect((await speech.speak(body)).status).toBe(status);
  });

  it('ends a speech whose listener has left, and speaks on for others', async () => {
    const leaving = new AbortController();
    const response = await speech.speak({ input: 'A long story. '.repeat(280) }, leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    // There is only one engine, so the next text waits until the first has ended.
    expect((await speech.samples({ input: 'Next.' })).length).toBeGreaterThan(2_400);
  });
});

const READY = "parentPort.postMessage({ type: 'ready' });";
const PIECE = "parentPort.postMessage({ type: 'samples', job, samples: new Int16Array(2_400) });";

describe('an engine that fails', () => {
  it('is missed by name where its package is not installed', async () => {
    const speech = await withEngine("parentPort.postMessage({ type: 'absent' });");
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const response = await speech.speak({ input: 'a' });
      expect(response.status).toBe(503);
      expect(JSON.stringify(await response.json())).toContain('@echogarden/espeak-ng-emscripten');
    }
  });

  it('and dies in the middle of a text breaks the connection, and another takes its place', async () => {
    const speech = await withEngine(
      `${READY} parentPort.on('message', ({ job, text }) => { ${PIECE} if (text === 'die') setTimeout(() => process.exit(1), 50); else parentPort.postMessage({ type: 'spoken', job }); });`,
    );
    const response = await speech.speak({ input: 'die' });
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(await speech.samples({ input: 'live' })).toHaveLength(2_400);
  });

  it('before the first sample is an error answer', async () => {
    const speech = await withEngine(`${READY} parentPort.on('message', () => { throw new Error('broken'); });`);
    expect((await speech.speak({ input: 'a' })).status).toBe(500);
    expect((await speech.speak({ input: 'a' })).status).toBe(500);
  });

  it('to answer is given up, while it loads and while it speaks', async () => {
    expect(
      (await (await withEngine('setInterval(() => {}, 1_000);', { silenceTimeoutMs: 200 })).speak({ input: 'a' }))
        .status,
    ).toBe(500);
    expect(
      (
        await (
          await withEngine(`${READY} parentPort.on('message', () => { for (;;); });`, { silenceTimeoutMs: 500 })
        ).speak({ input: 'a' })
      ).status,
    ).toBe(500);
  });

  it('to keep up has a queue with an end: 503 with Retry-After', async () => {
    const speech = await withEngine(
      `${READY} parentPort.on('message', ({ job }) => setTimeout(() => { ${PIECE} parentPort.postMessage({ type: 'spoken', job }); }, 300));`,
      { queueMax: 1 },
    );
    const answers = await Promise.all([1, 2, 3].map(() => speech.speak({ input: 'a' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
    expect(answers.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('5');
  });

  it('because its pool was closed is not replaced, and texts that wait or come later fail', async () => {
    let started = 0;
    const count = () => (started += 1);
    process.on('worker', count);
    onTestFinished(() => void process.off('worker', count));
    const pool = new EnginePool({
      threadFile: engineFile('setInterval(() => {}, 1_000);'),
      threads: 1,
      queueMax: 2,
      silenceTimeoutMs: 10_000,
    });
    onTestFinished(() => pool.close());
    const order = { text: 'a', voice: embeddedVoice('tts-kokoro', 'af_sky', 'a') ?? expect.fail(), speed: 1 };
    const failureOf = () =>
      pool
        .speak(order, new AbortController().signal)
        .next()
        .catch((error: unknown) => error);
    const failures = [failureOf(), failureOf(), failureOf()];
    await vi.waitFor(() => expect(started).toBe(1));
    await pool.close();
    await pool.warmUp();
    for (const failure of [...failures, failureOf()]) expect(await failure).toBeInstanceOf(EngineFailedError);
    expect(started).toBe(1);
  });
});
