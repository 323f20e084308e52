import { execFileSync, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendRefusal, Refusal } from '../http/refusal';
import { createSpeech } from './speech-server';
import type { EnginePoolOptions } from './engine-pool';

/** Simulated speech engine on its own port, bundled from the current sources. */
export interface SpeechUnderTest {
  url: string;
  speak(body: Record<string, unknown>, signal?: AbortSignal): Promise<Response>;
  /** Returns 24 kHz mono samples, by default of the voice `af_sky` of `tts-kokoro`. */
  samples(body: Record<string, unknown>): Promise<Int16Array>;
  close(): Promise<void>;
}

export async function startSpeech(options: Partial<EnginePoolOptions> = {}): Promise<SpeechUnderTest> {
  if (options.threadFile === undefined)
    execFileSync(process.execPath, [
      '-e',
      "import('./scripts/bundle.mjs').then(({ bundle }) => bundle(['speech-engine']))",
    ]);
  const speech = createSpeech(process.cwd(), options);
  const server = createServer((request, response) => {
    speech
      .handle(request, response, (request.url ?? '').split('?', 1)[0] ?? '')
      .catch((error: Error) => sendRefusal(response, new Refusal(500, 'INTERNAL', error.message)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const speak = (body: Record<string, unknown>, signal?: AbortSignal) =>
    fetch(`${url}/audio/speech`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tts-kokoro', voice: 'af_sky', response_format: 'pcm', ...body }),
      signal: signal ?? null,
    });
  const samples = async (body: Record<string, unknown>) => {
    const response = await speak(body);
    if (!response.ok) throw new Error(await response.text());
    return new Int16Array(await response.arrayBuffer());
  };
  return { url, speak, samples, close: () => stop(server, () => speech.close()) };
}

async function stop(server: Server, closeSpeech: () => Promise<void>): Promise<void> {
  await closeSpeech();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** True if Debian's optional espeak-ng program is installed. */
export const hasEspeakProgram = spawnSync('espeak-ng', ['--version']).status === 0;
if (!hasEspeakProgram) console.log('espeak-ng is not here: the embedded voice is not compared with it.');

/** Returns the output of Debian's espeak-ng program: 22,050 Hz mono. The program always has a pitch range of 50. */
export function spokenByProgram(text: string, voice: string, pitch: number): Int16Array {
  const wav = execFileSync('espeak-ng', ['--stdout', '-s', '175', '-p', String(pitch), '-v', voice, text], {
    maxBuffer: 1 << 28,
  });
  const data = wav.subarray(44);
  return new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length - (data.length % 2)));
}

/** Returns the root mean square of each window of 20 ms. */
export function envelope(samples: Int16Array, sampleRate: number): number[] {
  const step = sampleRate / 50;
  return Array.from({ length: Math.floor(samples.length / step) }, (_, index) => {
    const window = samples.subarray(Math.round(index * step), Math.round((index + 1) * step));
    return Math.sqrt(window.reduce((sum, sample) => sum + sample * sample, 0) / window.length);
  });
}

/** Smooths an envelope over 100 ms, the length of a syllable, because pauses differ between engine versions. */
export function smoothed(loudness: readonly number[]): number[] {
  return loudness.map((_, index) => {
    const around = loudness.slice(Math.max(0, index - 2), index + 3);
    return around.reduce((sum, value) => sum + value, 0) / around.length;
  });
}

/** Returns Pearson's correlation at the best shift, up to 0.2 s. */
export function correlation(left: readonly number[], right: readonly number[]): number {
  let best = -1;
  for (let shift = -10; shift <= 10; shift += 1) {
    const pairs = left.flatMap((value, index) =>
      right[index + shift] === undefined ? [] : [[value, right[index + shift] ?? 0] as const],
    );
    best = Math.max(best, pearson(pairs));
  }
  return best;
}

/** Returns the median fundamental frequency in Hz over voiced windows of 40 ms, by autocorrelation. */
export function fundamental(samples: Int16Array, sampleRate = 24_000): number {
  const size = Math.round(sampleRate * 0.04);
  const found: number[] = [];
  for (let start = 0; start + 2 * size < samples.length; start += size) {
    let best = { likeness: 0, lag: 0 };
    for (let lag = Math.round(sampleRate / 400); lag <= sampleRate / 60; lag += 1) {
      let product = 0;
      let energyHere = 1;
      let energyThere = 1;
      for (let at = start; at < start + size; at += 1) {
        const here = samples[at] ?? 0;
        const there = samples[at + lag] ?? 0;
        product += here * there;
        energyHere += here * here;
        energyThere += there * there;
      }
      const likeness = product / Math.sqrt(energyHere * energyThere);
      if (likeness > best.likeness + 0.02) best = { likeness, lag };
    }
    if (best.likeness > 0.8) found.push(sampleRate / best.lag);
  }
  return found.sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0;
}

function pearson(pairs: readonly (readonly [number, number])[]): number {
  const mean = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;
  const [meanLeft, meanRight] = [mean(0), mean(1)];
  let product = 0;
  let squaresLeft = 0;
  let squaresRight = 0;
  for (const [left, right] of pairs) {
    product += (left - meanLeft) * (right - meanRight);
    squaresLeft += (left - meanLeft) ** 2;
    squaresRight += (right - meanRight) ** 2;
  }
  return product / Math.sqrt(squaresLeft * squaresRight);
}
