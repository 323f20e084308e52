/**
 * @at next: Next itself logs, buffers and caches requests.
 * @at postgres: another database must not contain the texts either.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decryptContent, encryptContent, generateE2eeKeyPair } from '@/lib/protocol/e2ee/codec';
import { chunk, DONE, usageChunk } from '@/test/scripted-model';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import type { Caller } from './harness/operator';

/**
 * Three turns of an end-to-end encrypted chat, with a secret text in every prompt and answer. The texts must not appear
 * in the gateway's logs, database, upstream traffic or answers.
 */

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const model = generateE2eeKeyPair();
const client = generateE2eeKeyPair();

/** Random, with characters that JSON may escape. */
const canary = () => `${randomBytes(24).toString('base64url')}"\\é\n${randomBytes(24).toString('base64url')}`;

/** All encodings of a text in bytes: plain, escaped, hex, and Base64 in each of its three alignments. */
function formsOf(text: string): Map<string, Buffer> {
  const escaped = JSON.stringify(text).slice(1, -1);
  const ascii = escaped.replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const forms = new Map<string, Buffer>();
  // Even a part of the text would be a leak. So both random halves are searched for in all encodings.
  for (const [name, part] of Object.entries({
    raw: text,
    escaped,
    ascii,
    twice: JSON.stringify(escaped).slice(1, -1),
    url: encodeURIComponent(text),
    half: text.slice(0, 32),
    end: text.slice(-32),
  })) {
    const bytes = Buffer.from(part);
    forms.set(name, bytes);
    forms.set(`${name}, utf-16`, Buffer.from(part, 'utf16le'));
    forms.set(`${name}, hex`, Buffer.from(bytes.toString('hex')));
    forms.set(`${name}, HEX`, Buffer.from(bytes.toString('hex').toUpperCase()));
    for (const shift of [0, 1, 2]) {
      // Omits characters at both ends that also encode neighboring bytes.
      const base64 = Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .replace(/=+$/, '')
        .slice(shift === 0 ? 0 : shift + 1, -1);
      forms.set(`${name}, base64 at ${shift}`, Buffer.from(base64));
      forms.set(`${name}, base64url at ${shift}`, Buffer.from(base64.replaceAll('+', '-').replaceAll('/', '_')));
    }
  }
  return forms;
}

function found(canaries: readonly string[], haystack: Buffer): string[] {
  return canaries.flatMap((text, index) =>
    [...formsOf(text)].filter(([, form]) => haystack.includes(form)).map(([form]) => `canary ${index}: ${form}`),
  );
}

/**
 * Service of an enclave: it decrypts requests and answers in ciphertext that contains its own secret text. Stores what
 * it receives, byte for byte.
 */
class Enclave {
  readonly received: Buffer[] = [];
  readonly decrypted: string[] = [];
  readonly answers: string[] = [];
  #server = createServer((request, response) => this.#answer(request, response));

  async start(): Promise<string> {
    this.#server.on('connection', (socket) => socket.on('data', (bytes: Buffer) => this.received.push(bytes)));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (bytes: Buffer) => chunks.push(bytes));
    request.on('end', () => {
      if (request.url === '/v1/models')
        return void response.end(JSON.stringify({ data: [{ id: 'e2ee', context_length: 32_768 }] }));
      const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] };
      for (const { content } of messages) this.decrypted.push(decryptContent(content, model.secretKey));
      const answer = canary();
      this.answers.push(answer);
      const key = Buffer.from(String(request.headers['x-client-pub-key']), 'hex');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const part of [`The answer: ${answer.slice(0, 40)}`, answer.slice(40)])
        response.write(chunk(encryptContent(part, key)));
      response.end(usageChunk() + DONE);
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const enclave = new Enclave();
let gateway: GatewayUnderTest;
let caller: Caller;
let folder: string;
beforeAll(async () => {
  const url = await enclave.start();
  gateway = await startGateway({
    profile: 'live',
    config: { inference: { enclaveUpstreams: [{ name: 'enclave', url }] } },
    env: { LOG_LEVEL: 'trace' },
  });
  folder = gateway.dataDir;
  caller = await gateway.operator.createCaller({ usd: '1' });
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  enclave.close();
});

const e2eeHeaders = () => ({
  'x-service-tee-client-pub-key': hex(client.publicKey),
  'x-service-tee-model-pub-key': hex(model.publicKey),
  'x-service-tee-signing-algo': 'ecdsa',
});

async function ask(content: string): Promise<Buffer> {
  const response = await fetch(`${gateway.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json', ...e2eeHeaders() },
    body: JSON.stringify({
      model: 'e2ee',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: encryptContent('Be brief.', model.publicKey) },
        { role: 'user', content },
      ],
    }),
  });
  const headers = JSON.stringify([...response.headers]);
  return Buffer.concat([Buffer.from(headers), Buffer.from(await response.arrayBuffer())]);
}

/** The words in an encrypted stream. */
function words(stream: Buffer): string {
  return [...stream.toString().matchAll(/"content":"([0-9a-f]{186,})"/g)]
    .map(([, content]) => decryptContent(content as string, client.secretKey))
    .join('');
}

const PARTITIONS_TOO = process.env.CONTRACT_STORE === 'partitions' ? ['--include-foreign-data=*'] : [];

/** Returns all bytes in the data folder including the write-ahead log, or a dump of Postgres. */
function database(): Buffer {
  if (gateway.databaseUrl !== null)
    return execFileSync('pg_dump', ['--dbname', gateway.databaseUrl, '--inserts', ...PARTITIONS_TOO], {
      maxBuffer: 1 << 28,
    });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  expect(files.some((path) => path.endsWith('turnpike.db'))).toBe(true);
  return Buffer.concat(files.map((path) => readFileSync(path)));
}

describe('three turns', () => {
  const prompts: string[] = [];
  const responses: Buffer[] = [];

  test('are understood at both ends', async () => {
    let history = '';
    for (let turn = 0; turn < 3; turn++) {
      const prompt = canary();
      prompts.push(prompt);
      // Like our client, sends earlier turns again, encrypted.
      history += `Question ${turn}: ${prompt}\n`;
      const response = await ask(encryptContent(history, model.publicKey));
      responses.push(response);
      expect(words(response)).toBe(`The answer: ${enclave.answers[turn]}`);
      history += `Answer ${turn}: ${enclave.answers[turn]}\n`;
    }
    expect(enclave.decrypted.at(-1)).toBe(history.slice(0, history.lastIndexOf('Answer 2')));
    expect(gateway.books.charges(caller.accountId)).toHaveLength(3);
  });

  test('that are refused, cut or malformed leave no more traces', async () => {
    const prompt = canary();
    prompts.push(prompt);
    // Plaintext that is sent by mistake is refused, and the refusal does not quote it.
    for (const content of [
      prompt,
      `${encryptContent(prompt, model.publicKey)}${prompt}`,
      Buffer.from(prompt).toString('hex').padEnd(200, '0'),
    ]) {
      const response = await ask(content);
      expect(response.toString()).toContain('Encrypted field is not valid hex');
      responses.push(response);
    }
    expect(enclave.answers).toHaveLength(3);
  });

  test('stand nowhere else', async () => {
    const canaries = [...prompts, ...enclave.answers];
    expect(canaries).toHaveLength(7);
    await gateway.kill();
    const database_ = database();
    expect(database_.includes('chat/e2ee'), 'the charges are in what was searched').toBe(true);
    expect(gateway.printed().length, 'the log is not empty').toBeGreaterThan(0);
    expect({
      log: found(canaries, Buffer.from(gateway.printed())),
      database: found(canaries, database_),
      upstream: found(canaries, Buffer.concat(enclave.received)),
      responses: found(canaries, Buffer.concat(responses)),
    }).toEqual({ log: [], database: [], upstream: [], responses: [] });
  });

  test('and the search finds each form of a text where there is one', () => {
    const text = canary();
    for (const [form, bytes] of formsOf(text))
      expect(found([text], Buffer.concat([randomBytes(99), bytes, randomBytes(99)])), form).not.toEqual([]);
    for (let shift = 0; shift < 3; shift++) {
      const around = Buffer.concat([randomBytes(99 + shift), Buffer.from(text), randomBytes(50)]).toString('base64');
      expect(found([text], Buffer.from(around))).not.toEqual([]);
    }
  });
});
