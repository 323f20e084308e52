/** Audio formats of `POST /audio/speech`, in the specification's order. */
export const AUDIO_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;

export type AudioFormat = (typeof AUDIO_FORMATS)[number];

/** Samples per second of `pcm`, from which the gateway encodes all other formats. */
export const SPEECH_SAMPLE_RATE = 24_000;

interface AudioFormatInfo {
  contentType: string;
  extension: string;
  /** Display name for use in a sentence. */
  name: string;
}

/**
 * Media type and extension of each format. All are mono at 24 kHz.
 *
 * - mp3: MPEG-2 layer III, `audio/mpeg` (RFC 3003).
 * - opus: Opus in Ogg (RFC 7845, section 9).
 * - aac: AAC-LC in ADTS. IANA lists `audio/aac` for ADTS.
 * - flac: RFC 9639, section 12.
 * - wav: RIFF/WAVE of 16-bit PCM. `audio/wav` is not registered (RFC 2361 has `audio/vnd.wave`), but browsers support
 *   it.
 * - pcm: signed 16-bit little-endian samples without a header. `audio/L16` (RFC 2586) would be big-endian.
 */
export const AUDIO_FORMAT_INFO: Readonly<Record<AudioFormat, AudioFormatInfo>> = {
  mp3: { contentType: 'audio/mpeg', extension: '.mp3', name: 'MP3' },
  opus: { contentType: 'audio/ogg; codecs=opus', extension: '.opus', name: 'Ogg Opus' },
  aac: { contentType: 'audio/aac', extension: '.aac', name: 'AAC (ADTS)' },
  flac: { contentType: 'audio/flac', extension: '.flac', name: 'FLAC' },
  wav: { contentType: 'audio/wav', extension: '.wav', name: 'WAV' },
  pcm: { contentType: 'audio/pcm', extension: '.pcm', name: 'raw PCM' },
};
