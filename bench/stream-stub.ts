import { createServer, type ServerResponse } from 'node:http';

/** Instructions for the stub, as JSON in the request's `user` field, because the gateway forwards only known fields. */
export interface StubOrder {
  events: number;
  /** Time between two events; 0 sends all events immediately. */
  intervalMs: number;
}

/** Precedes the time at which an event was sent: microseconds of the machine's monotonic clock, in 16 digits. */
export const TIME_MARK = '@';
export const TIME_DIGITS = 16;

export function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Starts an OpenAI-compatible server that streams events of usual size, each with the time at which it was sent. */
export function serveStreamStub(onListening: (port: number) => void): void {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.method === 'GET')
      return void response.end(
        '{"object":"list","data":[{"id":"stub","object":"model","created":1,"owned_by":"stub","context_length":4096}]}',
      );
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // The gateway also sends health checks to this server.
      if (request.url?.endsWith('/chat/completions')) streamTo(response, orderOf(Buffer.concat(chunks).toString()));
      else response.writeHead(404).end();
    });
  });
  server.listen(0, '127.0.0.1', () => onListening((server.address() as { port: number }).port));
}

function orderOf(body: string): StubOrder {
  return JSON.parse((JSON.parse(body) as { user: string }).user) as StubOrder;
}

function streamTo(response: ServerResponse, { events, intervalMs }: StubOrder): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sent = 0;
  const send = (): void => {
    response.write(event(`${TIME_MARK}${String(nowMicros()).padStart(TIME_DIGITS, '0')}`));
    if (++sent < events) return;
    clearInterval(timer);
    response.end(
      `${chunk('"choices":[],"usage":{"prompt_tokens":20,"completion_tokens":30,"total_tokens":50}')}data: [DONE]\n\n`,
    );
  };
  const timer = setInterval(send, intervalMs);
  if (intervalMs > 0) return send();
  clearInterval(timer);
  for (let i = 0; i < events; i++) send();
}

function event(content: string): string {
  return chunk(`"choices":[{"index":0,"delta":{"content":"${content}"},"logprobs":null,"finish_reason":null}]`);
}

function chunk(rest: string): string {
  return `data: {"id":"chatcmpl-8d1f4f3c0b2e4a6d9c7b5a3e1f2d4c6b","object":"chat.completion.chunk","created":1760000000,"model":"stub",${rest}}\n\n`;
}
