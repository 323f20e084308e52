import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const TRANSCRIBER_MODEL = 'whisper';

export interface TranscribedFile {
  fields: Record<string, string>;
  bytes: number;
}

export interface StubTranscriber {
  /** The gateway's configuration of this server. */
  transcriptions: object;
  /** Files that the stub has received. */
  received: TranscribedFile[];
  stop(): void;
}

/** Model server that answers with the number of audio bytes that it has received. */
export async function startStubTranscriber(usdPerSecond: number): Promise<StubTranscriber> {
  const received: TranscribedFile[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      void new Response(Buffer.concat(chunks), { headers }).formData().then((form) => {
        const bytes = (form.get('file') as File).size;
        const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
        received.push({ fields: fields as Record<string, string>, bytes });
        const text = `${bytes} bytes`;
        if (fields['response_format'] === 'text') return response.end(text);
        response.setHeader('content-type', 'application/json');
        return response.end(
          JSON.stringify({
            text,
            ...(fields['response_format'] === 'verbose_json'
              ? { language: 'english', duration: 1, segments: [{ id: 0, start: 0, end: 1, text }] }
              : {}),
          }),
        );
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    transcriptions: {
      upstreams: [{ name: 'stub', url: `http://127.0.0.1:${port}/v1` }],
      models: { [TRANSCRIBER_MODEL]: { usdPerSecond: String(usdPerSecond) } },
    },
    received,
    stop: () => server.close(),
  };
}
