import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SimulatedEnclave } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';

/** A model of a gateway that is not to be trusted. */
export const LYING_MODEL = 'tee-guide';

type Report = Record<string, unknown>;

/**
 * A gateway that lies to clients of private chats, in this process: it has an enclave of its own, whose hardware a
 * test's policy takes for genuine, and falsifies what that says.
 */
export class LyingGateway {
  readonly enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name":"the workload that was audited"}');
  /** Falsifies a report. */
  falsify: (report: Report) => Report = (report) => report;
  /** Happens once a chat was asked for, before it is answered. */
  beforeAnswer: () => void = () => undefined;
  #server = createServer((request, response) => void this.#answer(request, response));
  #signed = { text: '', signature: '' };
  url = '';

  static async start(): Promise<LyingGateway> {
    const gateway = new LyingGateway();
    await new Promise<void>((resolve) => gateway.#server.listen(0, '127.0.0.1', resolve));
    gateway.url = `http://127.0.0.1:${(gateway.#server.address() as AddressInfo).port}`;
    return gateway;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', this.url);
    const json = (body: unknown): void => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname.endsWith('/tee/attestation')) return json(this.falsify({ ...this.enclave.attest(LYING_MODEL, Buffer.from(url.searchParams.get('nonce') ?? '', 'hex'), Date.now()), verified: true, verdict: 'verified' }));
    if (url.pathname.endsWith('/tee/signature')) return json({ ...this.#signed, signing_address: this.enclave.address, signing_algo: 'ecdsa' });
    this.beforeAnswer();
    const text = events();
    const signed = `${sha256(Buffer.concat(chunks))}:${sha256(Buffer.from(text))}`;
    this.#signed = { text: signed, signature: this.enclave.sign(signed) };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
  }
}

function events(): string {
  const chunk = (delta: object, finish: string | null) => `data: ${JSON.stringify({ id: 'chatcmpl-lying', object: 'chat.completion.chunk', created: 1, model: LYING_MODEL, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  return `${chunk({ role: 'assistant', content: 'Trust me.' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
