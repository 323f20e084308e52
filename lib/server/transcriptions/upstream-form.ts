import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { TranscriptFormat, TranscriptionFields } from '@/lib/protocol/transcriptions/transcription-request';
import type { UploadedFile } from '../http/multipart/uploaded-file';
import type { ModelRequest } from '../upstreams/models/model-exchange';
import type { MeasuredFormat } from './duration/measure-audio';
import type { TranscriptionModel } from './transcriptions';

const MEDIA_TYPES: Readonly<Record<MeasuredFormat, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  webm: 'audio/webm',
  mp4: 'audio/mp4',
};

interface Recording {
  file: UploadedFile;
  format: MeasuredFormat;
}

/**
 * Returns the upstream's request. Names the file by its measured format and not by the caller's name, so that no server
 * decodes it as another format.
 */
export function upstreamForm(
  fields: TranscriptionFields,
  responseFormat: TranscriptFormat,
  { file, format }: Recording,
  { upstreamModel }: Pick<TranscriptionModel, 'upstreamModel'>,
): ModelRequest {
  const boundary = `turnpike-${randomUUID()}`;
  const granularities = responseFormat === 'verbose_json' ? (fields['timestamp_granularities[]'] ?? []) : [];
  const texts: [name: string, value: string][] = [
    ['model', upstreamModel],
    ['response_format', responseFormat],
    ...(['language', 'prompt', 'temperature'] as const).flatMap((name): [string, string][] =>
      fields[name] === undefined ? [] : [[name, String(fields[name])]],
    ),
    ...granularities.map((each): [string, string] => ['timestamp_granularities[]', each]),
  ];
  const head = Buffer.from(
    texts
      .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('') +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="audio.${format}"\r\nContent-Type: ${MEDIA_TYPES[format]}\r\n\r\n`,
  );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    method: 'POST',
    path: '/audio/transcriptions',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.length + end.length),
    },
    body: Readable.from(partsOf(head, file, end), { objectMode: false }),
  };
}

async function* partsOf(head: Buffer, file: UploadedFile, end: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
  yield* file.parts();
  yield end;
}
