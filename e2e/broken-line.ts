import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Proxy between browser and gateway that cuts answers off, like a killed gateway. */
export class BrokenLine {
  #server: Server;
  #breakAt: { path: string; bytes: number } | null = null;
  #isDown = false;

  constructor(private readonly gatewayUrl: string) {
    this.#server = createServer((incoming, outgoing) => this.#pass(incoming, outgoing));
    this.#server.on('connection', (socket: Socket) => this.#isDown && socket.destroy());
  }

  /** @returns the origin of the console behind the proxy */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts the next answers of a path off after this many bytes of body. After that, all requests fail until `mend`. */
  breakAt(path: string, bytes: number): void {
    this.#breakAt = { path, bytes };
  }

  /** Cuts all answers off until `mend`. */
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
          // Gives the bytes already written time to arrive.
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
