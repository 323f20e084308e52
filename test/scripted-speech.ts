import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Speech request that reached the server. */
export interface AskedSpeech {
  headers: IncomingHttpHeaders;
  body: Record<string, unknown> & { input: string; response_format: string };
  /** True if the gateway closed the connection before the end of the answer. */
  aborted: Promise<boolean>;
}

export type SpeechScript = (asked: AskedSpeech, response: ServerResponse) => void | Promise<void>;

/** OpenAI-compatible speech server with scripted answers, on a free loopback port until the end of the test. */
export interface ScriptedSpeech {
  /** Base URL, ending in /v1. */
  url: string;
  asked: AskedSpeech[];
  script: SpeechScript;
  /** Models that the server lists; null answers 404. */
  models: readonly string[] | null;
}

/** Samples per character of text: 10 ms at 24 kHz. */
export const SAMPLES_PER_CHARACTER = 240;

export async function scriptedSpeech(
  script?: SpeechScript,
  models: readonly string[] | null = null,
): Promise<ScriptedSpeech> {
  const { speech, stop } = await startScriptedSpeech(script, models);
  onTestFinished(stop);
  return speech;
}

/** Starts the server until `stop` is called. */
export async function startScriptedSpeech(
  script: SpeechScript = tone(),
  models: readonly string[] | null = null,
): Promise<{ speech: ScriptedSpeech; stop(): Promise<void> }> {
  const speech: ScriptedSpeech = { url: '', asked: [], script, models };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/v1/models') return answerList(speech, response);
      const aborted = new Promise<boolean>((resolve) =>
        response.once('close', () => resolve(!response.writableFinished)),
      );
      const asked = { headers: request.headers, body: JSON.parse(body) as AskedSpeech['body'], aborted };
      speech.asked.push(asked);
      void speech.script(asked, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  speech.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { speech, stop };
}

function answerList({ models }: ScriptedSpeech, response: ServerResponse): void {
  if (models) response.end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id })) }));
  else response.writeHead(404).end();
}

/**
 * Returns the samples of a text. Each character has its own level, so that a test can check which text was spoken and
 * in which order.
 */
export function samplesFor(text: string): Int16Array {
  const characters = [...text];
  const samples = new Int16Array(characters.length * SAMPLES_PER_CHARACTER);
  characters.forEach((character, index) =>
    samples.fill(levelOf(character), index * SAMPLES_PER_CHARACTER, (index + 1) * SAMPLES_PER_CHARACTER),
  );
  return samples;
}

/** Returns one level per character of the spoken text. */
export function levelsOf(pcm: Buffer): number[] {
  return Array.from({ length: pcm.length / 2 / SAMPLES_PER_CHARACTER }, (_none, index) =>
    pcm.readInt16LE(index * SAMPLES_PER_CHARACTER * 2),
  );
}

export function levelOf(character: string): number {
  return ((character.codePointAt(0) ?? 0) % 20_000) + 1;
}

/** Answers with the text's samples, as wav or pcm. */
export function tone(): SpeechScript {
  return ({ body }, response) => {
    const pcm = Buffer.from(samplesFor(body.input).buffer);
    const isWav = body.response_format === 'wav';
    response
      .writeHead(200, { 'content-type': isWav ? 'audio/wav' : 'audio/pcm' })
      .end(isWav ? Buffer.concat([wavHead(pcm.length), pcm]) : pcm);
  };
}

/** Answers with this status and body. */
export function refusesSpeech(status: number, body: unknown, headers: Record<string, string> = {}): SpeechScript {
  return (_asked, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Returns the head of a WAV file. */
export function wavHead(dataBytes: number, { rate = 24_000, channels = 1, bits = 16, tag = 1 } = {}): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE((dataBytes + 36) >>> 0, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(tag, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE((rate * channels * bits) / 8, 28);
  head.writeUInt16LE((channels * bits) / 8, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36);
  head.writeUInt32LE(dataBytes, 40);
  return head;
}
