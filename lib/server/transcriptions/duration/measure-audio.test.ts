import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AUDIO_KINDS, type AudioKind, audioFile } from '@/test/audio-files';
import type { AudioBytes } from './audio-bytes';
import { measureAudio } from './measure-audio';
import { UnmeasurableAudio } from './unmeasurable-audio';

const SECONDS = 3.217;
/** One frame of the coarsest codec here, and the silence that encoders add. */
const TOLERANCE = 0.13;

const bytesOf = (file: Uint8Array): AudioBytes => ({
  length: file.byteLength,
  read: (offset, length) => Promise.resolve(file.subarray(offset, offset + length)),
});
const measured = (file: Uint8Array) => measureAudio(bytesOf(file));

const made = new Map<AudioKind, Promise<Buffer>>();
async function fileOf(kind: AudioKind): Promise<Buffer> {
  const making = made.get(kind) ?? audioFile(kind, SECONDS);
  made.set(kind, making);
  return Buffer.from(await making);
}

describe.each(AUDIO_KINDS)('%s', (kind) => {
  it('has the length that was recorded', async () => {
    const { format, seconds } = await measured(await fileOf(kind));
    expect(format).toBe(kind.replace('fragmented ', ''));
    expect(Math.abs(seconds - SECONDS)).toBeLessThan(TOLERANCE);
  });
});
