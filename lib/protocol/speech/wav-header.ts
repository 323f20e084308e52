import { SPEECH_SAMPLE_RATE } from './audio-format';

const BYTES_PER_SAMPLE = 2;
const HEADER_BYTES = 44;
/** Size that stands for an unknown length. Players then read to the end. */
const SIZE_UNKNOWN = 0xffffffff;
const FORMAT_PCM = 1;

/**
 * WAV header for 24 kHz mono 16-bit PCM (RIFF, "Multimedia Programming Interface and Data Specifications 1.0").
 *
 * @param sampleCount number of samples. If it is null (unknown), the header's two sizes are 0xFFFFFFFF
 */
export function wavHeader(sampleCount: number | null): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  const dataBytes = sampleCount === null ? SIZE_UNKNOWN : sampleCount * BYTES_PER_SAMPLE;
  const riffBytes = sampleCount === null ? SIZE_UNKNOWN : HEADER_BYTES - 8 + dataBytes;
  writeTag(header, 0, 'RIFF');
  view.setUint32(4, riffBytes, true);
  writeTag(header, 8, 'WAVE');
  writeTag(header, 12, 'fmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, FORMAT_PCM, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SPEECH_SAMPLE_RATE, true);
  view.setUint32(28, SPEECH_SAMPLE_RATE * BYTES_PER_SAMPLE, true);
  view.setUint16(32, BYTES_PER_SAMPLE, true);
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true);
  writeTag(header, 36, 'data');
  view.setUint32(40, dataBytes, true);
  return header;
}

function writeTag(bytes: Uint8Array, offset: number, tag: string): void {
  for (let at = 0; at < tag.length; at += 1) bytes[offset + at] = tag.charCodeAt(at);
}
