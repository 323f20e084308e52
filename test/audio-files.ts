import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  Conversion,
  Input,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { wavHeader } from '@/lib/protocol/speech/wav-header';
import { createMediabunnyEncoder } from '@/lib/server/speech/encoding/mediabunny-encoder';
import { createMp3Encoder } from '@/lib/server/speech/encoding/mp3-encoder';
import { createOpusEncoder } from '@/lib/server/speech/encoding/opus-encoder';
import type { Emit, StreamEncoder } from '@/lib/server/speech/encoding/stream-encoder';

export const AUDIO_KINDS = ['wav', 'mp3', 'flac', 'ogg', 'webm', 'mp4', 'fragmented mp4'] as const;
export type AudioKind = (typeof AUDIO_KINDS)[number];

const SAMPLE_RATE = 24_000;

/** Returns a file with a tone, encoded and packed by the libraries that other programs use. */
export async function audioFile(kind: AudioKind, seconds: number): Promise<Buffer> {
  switch (kind) {
    case 'wav': {
      const samples = tone(seconds);
      return Buffer.concat([wavHeader(samples.length), new Uint8Array(samples.buffer)]);
    }
    case 'mp3':
      return encoded(seconds, (emit) => createMp3Encoder(false, emit));
    case 'flac':
      return encoded(seconds, (emit) => createMediabunnyEncoder('flac', false, emit));
    case 'ogg':
      return encoded(seconds, (emit) => createOpusEncoder(false, emit));
    case 'webm':
      return packed(await audioFile('ogg', seconds), new WebMOutputFormat());
    case 'mp4':
    case 'fragmented mp4':
      return packed(
        await encoded(seconds, (emit) => createMediabunnyEncoder('aac', false, emit)),
        new Mp4OutputFormat({ fastStart: kind === 'mp4' ? false : 'fragmented' }),
      );
  }
}

function tone(seconds: number): Int16Array<ArrayBuffer> {
  return Int16Array.from({ length: Math.round(seconds * SAMPLE_RATE) }, (_none, at) =>
    Math.round(9_000 * Math.sin((2 * Math.PI * 220 * at) / SAMPLE_RATE)),
  );
}

async function encoded(
  seconds: number,
  start: (emit: Emit) => StreamEncoder | Promise<StreamEncoder>,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const encoder = await start((bytes) => void parts.push(bytes));
  await encoder.write(tone(seconds));
  await encoder.finish();
  return Buffer.concat(parts);
}

/** Puts the packets of a file into another container, without encoding them again. */
async function packed(file: Uint8Array, format: OutputFormat): Promise<Buffer> {
  const output = new Output({ format, target: new BufferTarget() });
  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  const conversion = await Conversion.init({ input, output });
  await conversion.execute();
  return Buffer.from(output.target.buffer as ArrayBuffer);
}
