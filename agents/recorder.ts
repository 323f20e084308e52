import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request of a program, as received. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: readonly (readonly [string, string])[];
  body: string;
  status: number;
}

/** Proxy between programs and the gateway that records all requests. */
export interface Recorder {
  url: string;
  requests: RecordedRequest[];
  /** URL to which requests are forwarded. */
  target: string;
  close(): void;
}

export async function startRecorder(): Promise<Recorder> {
  const recorder: Recorder = { url: '', requests: [], target: '', close: () => undefined };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const raw = request.rawHeaders;
      const headers = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
      const recorded: RecordedRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers,
        body: bytes.toString('utf8'),
        status: 0,
      };
      recorder.requests.push(recorded);
      const { hostname, port } = new URL(recorder.target);
      const onward = httpRequest(
        {
          hostname,
          port,
          method: request.method,
          path: request.url,
          headers: { ...request.headers, host: `${hostname}:${port}` },
        },
        (answer) => {
          recorded.status = answer.statusCode ?? 0;
          response.writeHead(recorded.status, answer.headers);
          answer.pipe(response);
          // Breaks off the answer to the program when the forwarded answer breaks off.
          answer.once('close', () => (answer.complete ? undefined : response.destroy()));
        },
      );
      onward.once('error', () => response.destroy());
      response.once('close', () => onward.destroy());
      onward.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  recorder.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  recorder.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return recorder;
}
