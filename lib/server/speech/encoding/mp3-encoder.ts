import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { createEncoder } from 'wasm-media-encoders';
import { mp3InfoFrame } from './mp3-info-frame';
import type { Emit, StreamEncoder } from './stream-encoder';

/** Bits a second, in thousands: 24 kHz mono speech is transparent here. */
export const MP3_KILOBITS = 64;

type Mp3Encoder = Awaited<ReturnType<typeof createEncoder<'audio/mpeg'>>>;

let compiled: WebAssembly.Module | undefined;
const idle: Mp3Encoder[] = [];

/**
 * MPEG-2 layer III at a constant rate, encoded by LAME. Streamed, the frames follow one another without an Info frame, and
 * duration is size by rate. Whole, an Info frame says how many frames there are and what to cut off at both ends.
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
  // What LAME returns lies in its memory, and is overwritten by the next call.
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
    // The next `configure` starts afresh.
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
