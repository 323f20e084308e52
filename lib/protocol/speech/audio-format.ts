/** The audio formats of `POST /audio/speech`, in the order of the specification. */
export const AUDIO_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;

export type AudioFormat = (typeof AUDIO_FORMATS)[number];

/** Samples a second of all speech: what `pcm` is delivered in, and what every other format is made from. */
export const SPEECH_SAMPLE_RATE = 24_000;

export interface AudioFormatInfo {
  /** The whole value of Content-Type. */
  contentType: string;
  /** The ending of a file's name, with its dot. */
  extension: string;
  /** For people, in a sentence. */
  name: string;
}

/**
 * What each format is on the wire. All of them are mono at 24 kHz.
 *
 * - mp3: MPEG-2 layer III; `audio/mpeg` is of RFC 3003.
 * - opus: Opus in Ogg (RFC 7845, whose section 9 gives type, codecs parameter and ending).
 * - aac: AAC-LC in ADTS; `audio/aac` is registered with IANA for ADTS by ISO/IEC JTC 1.
 * - flac: RFC 9639, whose section 12 registers `audio/flac`.
 * - wav: RIFF/WAVE of 16-bit PCM. `audio/wav` is not registered (RFC 2361 has `audio/vnd.wave`), but it is what browsers know.
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
