import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { createEncoder } from 'wasm-media-encoders';
import { mp3InfoFrame } from './mp3-info-frame';
import type { Emit, StreamEncoder } from './stream-encoder';

/** Bit rate in kilobits per second, at which 24 kHz mono speech sounds like the original. */
const MP3_KILOBITS = 64;

type Mp3Encoder = Awaited<ReturnType<typeof createEncoder<'audio/mpeg'>>>;

let compiled: WebAssembly.Module | undefined;
const idle: Mp3Encoder[] = [];

/**
 * Encodes MPEG-2 layer III at a constant rate with LAME. A stream has no Info frame; players compute its duration from
 * size and rate.
 */
export async function createMp3Encoder(isStreamed: boolean, emit: Emit): Promise<StreamEncoder> {
  const lame = idle.pop() ?? (await load());
  lame.configure({
    sampleRate: SPEECH_SAMPLE_RATE,
    outputSampleRate: SPEECH_SAMPLE_RATE,
    channels: 1,
    bitrate: MP3_KILOBITS,
  });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let sampleCount = 0;
  // Copies the result, because the next call of LAME overwrites it.
  const take = (bytes: Uint8Array) => (isStreamed ? emit(bytes.slice()) : void parts.push(bytes.slice()));
  return {
    write(samples) {
      sampleCount += samples.length;
      take(lame.encode([asFloats(samples)]));
    },
    finish() {
      take(lame.finalize());
      idle.push(lame);
      if (isStreamed) return;
      const audio = Buffer.concat(parts);
      emit(new Uint8Array(Buffer.concat([mp3InfoFrame(audio, sampleCount), audio])));
    },
    cancel: () => void idle.push(lame),
  };
}

async function load(): Promise<Mp3Encoder> {
  const wasm = compiled ?? (await readFile(createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/mp3')));
  return createEncoder('audio/mpeg', wasm, (module) => (compiled = module));
}

function asFloats(samples: Int16Array): Float32Array {
  const floats = new Float32Array(samples.length);
  for (let at = 0; at < samples.length; at += 1) floats[at] = (samples[at] ?? 0) / 32_768;
  return floats;
}
