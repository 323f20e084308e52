'use client';

import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import type { Envelope } from './sentence-times';

const SECONDS_PER_PEAK = 0.01;
const FULL_SCALE = 32_767;

/** Audio in mono, SPEECH_SAMPLE_RATE samples a second, full scale 1. */
export interface DecodedAudio {
  durationSeconds: number;
  envelope: Envelope;
  samples: Float32Array<ArrayBuffer>;
}

/** Decodes audio of any format that the browser supports. @throws DOMException for other formats */
export async function decodeAudio(audio: Blob): Promise<DecodedAudio> {
  const context = new OfflineAudioContext(1, 1, SPEECH_SAMPLE_RATE);
  const decoded = await context.decodeAudioData(await (await playableOf(audio)).arrayBuffer());
  const samples = decoded.getChannelData(0);
  return { durationSeconds: decoded.duration, envelope: envelopeOf(samples), samples };
}

/** Returns audio that an audio element can play. Adds a header to raw samples. */
export async function playableOf(audio: Blob): Promise<Blob> {
  return audio.type === 'audio/pcm' ? withWavHeader(audio) : audio;
}

/** Encodes samples as 16-bit WAV, or as 16-bit PCM without a header. */
export async function encodeSamples(samples: Float32Array, contentType: 'audio/wav' | 'audio/pcm'): Promise<Blob> {
  const integers = new DataView(new ArrayBuffer(samples.length * 2));
  samples.forEach((sample, index) =>
    integers.setInt16(index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * FULL_SCALE), true),
  );
  const pcm = new Blob([integers], { type: 'audio/pcm' });
  return contentType === 'audio/pcm' ? pcm : withWavHeader(pcm);
}

/** Returns the peak level of every hundredth of a second. */
export function envelopeOf(samples: Float32Array): Envelope {
  const step = Math.round(SPEECH_SAMPLE_RATE * SECONDS_PER_PEAK);
  const peaks = new Float32Array(Math.ceil(samples.length / step));
  samples.forEach((sample, index) => {
    const at = Math.floor(index / step);
    peaks[at] = Math.max(peaks[at] ?? 0, Math.abs(sample));
  });
  return { peaks, secondsPerPeak: step / SPEECH_SAMPLE_RATE };
}

async function withWavHeader(pcm: Blob): Promise<Blob> {
  const header = new DataView(new ArrayBuffer(44));
  const put = (at: number, text: string) =>
    [...text].forEach((letter, index) => header.setUint8(at + index, letter.charCodeAt(0)));
  put(0, 'RIFF');
  header.setUint32(4, 36 + pcm.size, true);
  put(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, SPEECH_SAMPLE_RATE, true);
  header.setUint32(28, SPEECH_SAMPLE_RATE * 2, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  put(36, 'data');
  header.setUint32(40, pcm.size, true);
  return new Blob([header, await pcm.arrayBuffer()], { type: 'audio/wav' });
}

/** @returns `count` heights from 0 to 1, where the loudest is 1; all 0 for silence or unknown audio */
export function barsOf(envelope: Envelope | null, count: number): readonly number[] {
  const peaks = envelope?.peaks ?? new Float32Array();
  const loudest = peaks.reduce((most, peak) => Math.max(most, peak), 0.01);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * peaks.length) / count);
    const part = peaks.subarray(from, Math.max(from + 1, Math.floor(((index + 1) * peaks.length) / count)));
    return part.reduce((most, peak) => Math.max(most, peak), 0) / loudest;
  });
}
