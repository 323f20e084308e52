'use client';

import { SPEECH_SAMPLE_RATE } from '@/lib/protocol/speech/audio-format';
import type { Envelope } from './sentence-times';

const SECONDS_PER_PEAK = 0.01;

/** How long audio is and how loud, from its bytes. */
export interface DecodedAudio {
  durationSeconds: number;
  envelope: Envelope;
}

/** Decodes audio of any format that the browser knows. @throws DOMException where it cannot. */
export async function decodeAudio(audio: Blob): Promise<DecodedAudio> {
  const context = new OfflineAudioContext(1, 1, SPEECH_SAMPLE_RATE);
  const decoded = await context.decodeAudioData(await audio.arrayBuffer());
  return { durationSeconds: decoded.duration, envelope: envelopeOf(decoded.getChannelData(0), decoded.sampleRate) };
}

/** Raw samples with a header in front, so that an audio element plays them (RIFF WAVE, 16-bit PCM). */
export async function withWavHeader(pcm: Blob): Promise<Blob> {
  const header = new DataView(new ArrayBuffer(44));
  const put = (at: number, text: string) => [...text].forEach((letter, index) => header.setUint8(at + index, letter.charCodeAt(0)));
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

/** The largest sample of every hundredth of a second. */
function envelopeOf(samples: Float32Array, sampleRate: number): Envelope {
  const step = Math.max(1, Math.round(sampleRate * SECONDS_PER_PEAK));
  const peaks = new Float32Array(Math.ceil(samples.length / step));
  samples.forEach((sample, index) => {
    const at = Math.floor(index / step);
    peaks[at] = Math.max(peaks[at] ?? 0, Math.abs(sample));
  });
  return { peaks, secondsPerPeak: step / sampleRate };
}
