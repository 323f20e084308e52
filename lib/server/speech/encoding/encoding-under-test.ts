import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { AudioEncoderPool, type AudioEncoderPoolOptions } from './audio-encoder-pool';

/** Creates a pool whose encoder program is bundled from the current sources. */
export function poolUnderTest(options: AudioEncoderPoolOptions = {}): AudioEncoderPool {
  bundleEncoder();
  return new AudioEncoderPool(options);
}

let isBundled = false;

/** Bundles the encoder program from the current sources, once for all tests of this process. */
export function bundleEncoder(): void {
  if (isBundled) return;
  isBundled = true;
  const script = "import('./scripts/bundle.mjs').then(({ bundle }) => bundle(['audio-encoder']))";
  execFileSync(process.execPath, ['-e', script]);
}

/** Returns a tone that resembles a voice, with a gliding pitch and overtones, at 24 kHz. */
export function tone(seconds: number): Int16Array {
  const samples = new Int16Array(Math.round(seconds * 24_000));
  for (let at = 0; at < samples.length; at += 1) {
    const t = at / 24_000;
    const phase = 2 * Math.PI * (140 * t + 6 * Math.sin(3 * t));
    samples[at] = Math.round(
      (Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.3 * Math.sin(5 * phase)) * 7_000 * (0.6 + 0.4 * Math.sin(9 * t)),
    );
  }
  return samples;
}

export async function* inPieces(samples: Int16Array, pieceLength: number): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples.length; at += pieceLength) yield samples.slice(at, at + pieceLength);
}

export async function collected(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

/** Parses a file with an independent demuxer. */
export async function demuxed(
  file: Uint8Array,
): Promise<{ mimeType: string; codec: string | null; sampleRate: number; channels: number; seconds: number }> {
  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new Error('There is no audio track.');
  let end = 0;
  for await (const packet of new EncodedPacketSink(track).packets())
    end = Math.max(end, packet.timestamp + packet.duration);
  return {
    mimeType: await input.getMimeType(),
    codec: track.codec,
    sampleRate: track.sampleRate,
    channels: track.numberOfChannels,
    seconds: end,
  };
}

export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
if (!hasFfmpeg) console.log('ffmpeg is not installed, so the files are demultiplexed but not decoded.');

/** Decodes a file with ffmpeg to 24 kHz mono. @throws if ffmpeg prints an error */
export function decodedByFfmpeg(file: Uint8Array): Int16Array {
  const folder = mkdtempSync(join(tmpdir(), 'speech-'));
  try {
    // Writes a file, because ffmpeg can trim the audio only if it knows where the file ends.
    writeFileSync(join(folder, 'speech'), file);
    const { stdout, stderr } = spawnSync(
      'ffmpeg',
      ['-v', 'error', '-i', 'speech', '-f', 's16le', '-ar', '24000', '-ac', '1', 'pipe:1'],
      { cwd: folder, maxBuffer: 1 << 28 },
    );
    if (stderr.length > 0) throw new Error(stderr.toString());
    return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
