import { asciiAt, type AudioBytes, ByteWindow, numberAt, UnmeasurableAudio } from './audio-bytes';
import { flacSeconds } from './flac';
import { mp3Seconds } from './mp3';
import { mp4Seconds } from './mp4';
import { oggSeconds } from './ogg';
import { wavSeconds } from './wav';
import { webmSeconds } from './webm';

const AUDIO_FORMATS = ['wav', 'mp3', 'flac', 'ogg', 'webm', 'mp4'] as const;
export type MeasuredFormat = (typeof AUDIO_FORMATS)[number];

const SECONDS_OF: Readonly<Record<MeasuredFormat, (bytes: ByteWindow) => Promise<number>>> = {
  wav: wavSeconds,
  mp3: mp3Seconds,
  flac: flacSeconds,
  ogg: oggSeconds,
  webm: webmSeconds,
  mp4: mp4Seconds,
};

const EBML = 0x1a45dfa3;

export interface MeasuredAudio {
  format: MeasuredFormat;
  seconds: number;
}

/**
 * Measures the sound in a file by its frames, packets or samples. Ignores the durations that headers claim, because the
 * caller pays by the second. Takes constant memory, and time in proportion to the size of the file.
 *
 * @throws UnmeasurableAudio if the format is not supported, or if part of the file cannot be parsed
 */
export async function measureAudio(source: AudioBytes): Promise<MeasuredAudio> {
  const bytes = new ByteWindow(source);
  const format = formatOf(await bytes.load(0, 16));
  if (format === null)
    throw new UnmeasurableAudio('The file is not WAV, MP3, FLAC, Ogg, WebM or MP4, so its length cannot be measured.');
  const seconds = await SECONDS_OF[format](bytes);
  if (!(seconds > 0)) throw new UnmeasurableAudio(`The ${format} file has no sound that can be measured.`);
  return { format, seconds };
}

function formatOf(head: Uint8Array): MeasuredFormat | null {
  if (head.length < 8) return null;
  const start = asciiAt(head, 0, 4);
  if (start === 'RIFF') return asciiAt(head, 8, 4) === 'WAVE' ? 'wav' : null;
  if (start === 'fLaC') return 'flac';
  if (start === 'OggS') return 'ogg';
  if (numberAt(head, 0, 4) === EBML) return 'webm';
  if (asciiAt(head, 4, 4) === 'ftyp') return 'mp4';
  return start.startsWith('ID3') || numberAt(head, 0, 2) >>> 5 === 0x7ff ? 'mp3' : null;
}
