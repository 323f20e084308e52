import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createEncoder } from 'wasm-media-encoders';
import type { Emit, StreamEncoder } from './stream-encoder';

/** Bit rate in kilobits per second. At this rate, 24 kHz mono speech sounds like the original. */
const MP3_KILOBITS = 64;

type Mp3Encoder = Awaited<ReturnType<typeof createEncoder<'audio/mpeg'>>>;

let compiled: WebAssembly.Module | undefined;
const idle: Mp3Encoder[] = [];

/**
 * Encodes MPEG-2 layer III at a constant rate with LAME. A stream has no Info frame, so players compute the duration
 * from the size and bit rate.
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
  // Copies LAME's result, because the next call overwrites it.
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

const SAMPLES_PER_FRAME = 576;
const TAG_OFFSET = 4 + 9;
const FLAGS = 0b1111;
const TOC_ENTRIES = 100;
/** Delay that LAME adds, in samples. The decoder's delay of 529 samples is not included. */
const ENCODER_DELAY = 576;
const METHOD_CBR = 1;

/**
 * Returns the Info frame of an MP3 file: Xing's tag with LAME's extension ("Mp3 Info Tag revision 1"). This frame tells
 * decoders how many padding samples to trim.
 *
 * @param audio one or more whole frames, all of the same size
 * @param sampleCount number of samples that were encoded
 */
function mp3InfoFrame(audio: Uint8Array, sampleCount: number): Uint8Array<ArrayBuffer> {
  const frameBytes = frameSize(audio);
  const frameCount = audio.length / frameBytes;
  const frame = new Uint8Array(frameBytes);
  const view = new DataView(frame.buffer);
  frame.set(audio.subarray(0, 4));
  let at = TAG_OFFSET;
  const text = (chars: string) => {
    for (const char of chars) frame[at++] = char.charCodeAt(0);
  };
  const u32 = (value: number) => {
    view.setUint32(at, value);
    at += 4;
  };
  text('Info');
  u32(FLAGS);
  u32(frameCount);
  u32(frameBytes + audio.length);
  for (let entry = 0; entry < TOC_ENTRIES; entry += 1) frame[at++] = Math.floor((256 * entry) / TOC_ENTRIES);
  u32(0);
  const extension = at;
  text('LAME3.100');
  frame[extension + 9] = METHOD_CBR;
  const kilobits = Math.round((frameBytes * 24_000 * 8) / (SAMPLES_PER_FRAME * 1_000));
  frame[extension + 20] = kilobits;
  const padding = Math.max(0, frameCount * SAMPLES_PER_FRAME - ENCODER_DELAY - sampleCount);
  frame[extension + 21] = ENCODER_DELAY >> 4;
  frame[extension + 22] = ((ENCODER_DELAY & 0xf) << 4) | (padding >> 8);
  frame[extension + 23] = padding & 0xff;
  view.setUint32(extension + 28, frameBytes + audio.length);
  view.setUint16(extension + 32, crc16(audio));
  view.setUint16(extension + 34, crc16(frame.subarray(0, extension + 34)));
  return frame;
}

function frameSize(audio: Uint8Array): number {
  for (let at = 4; at + 3 < audio.length; at += 1) {
    if (audio[at] === audio[0] && audio[at + 1] === audio[1] && audio[at + 2] === audio[2] && audio.length % at === 0)
      return at;
  }
  return audio.length;
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}
