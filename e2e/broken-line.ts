import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What stands between the browser and the gateway, and breaks answers off as a gateway does that is killed. */
export class BrokenLine {
  #server: Server;
  #breakAt: { path: string; bytes: number } | null = null;
  #isDown = false;

  constructor(private readonly gatewayUrl: string) {
    this.#server = createServer((incoming, outgoing) => this.#pass(incoming, outgoing));
    this.#server.on('connection', (socket: Socket) => this.#isDown && socket.destroy());
  }

  /** @returns the origin under which the console is reached through it */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next answers of a path end after so many bytes of their bodies, and nothing answers from then on until `mend`. */
  breakAt(path: string, bytes: number): void {
    this.#breakAt = { path, bytes };
  }

  /** Stops all answers until `mend`. */
  cut(): void {
    this.#isDown = true;
  }

  mend(): void {
    this.#breakAt = null;
    this.#isDown = false;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#isDown) return void incoming.socket.destroy();
    const { host } = new URL(this.gatewayUrl);
    const headers = {
      ...incoming.headers,
      host,
      ...(incoming.headers.origin === undefined ? {} : { origin: this.gatewayUrl }),
    };
    const onward = request(
      new URL(incoming.url ?? '/', this.gatewayUrl),
      { method: incoming.method ?? 'GET', headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        const limit =
          this.#breakAt !== null && incoming.url?.startsWith(this.#breakAt.path) ? this.#breakAt.bytes : Infinity;
        let passed = 0;
        answer.on('data', (chunk: Buffer) => {
          const part = chunk.subarray(0, Math.max(0, limit - passed));
          passed += chunk.length;
          if (part.length > 0) outgoing.write(part);
          if (passed < limit) return;
          this.#isDown = true;
          answer.destroy();
          // What was written before it still arrives.
          setTimeout(() => outgoing.destroy(), 300);
        });
        answer.on('end', () => passed < limit && outgoing.end());
        answer.on('error', () => undefined);
      },
    );
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}
