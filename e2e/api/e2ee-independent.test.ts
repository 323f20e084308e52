/**
 * @not next: ciphertext is streamed like any other text. private-chat.test.ts streams it through Next.
 * @not postgres: encryption is between client and enclave. chat.test.ts has charges on Postgres.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createCipheriv, createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { startSandboxGateway } from './harness/sandbox-gateway';

/**
 * Encrypted conversations by clients without our code, written only from the specification ("E2EE calls", rules 1 to
 * 5): one on node:crypto here, one in Python with the package "cryptography" (e2ee_independent.py).
 */

const MODEL = 'e2ee-guide';
const pythonHere = spawnSync('python3', ['-c', 'import cryptography'], { timeout: 60_000 }).status === 0;
if (!pythonHere)
  console.log('Python with the package "cryptography" is not here: no client in Python talks to the gateway.');

let gateway: GatewayUnderTest;
let key = '';
beforeAll(async () => {
  ({ gateway } = await startSandboxGateway());
  ({ key } = await gateway.operator.createCaller({ usd: '1' }));
}, 120_000);
afterAll(() => gateway?.stop());

/** Rule 3 (b) to (f). */
function encrypt(text: string, modelKey: string): string {
  const ephemeral = createECDH('secp256k1');
  ephemeral.generateKeys();
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', aesKey(ephemeral.computeSecret(Buffer.from(modelKey, 'hex'))), nonce);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([ephemeral.getPublicKey(), nonce, ciphertext, cipher.getAuthTag()]).toString('hex');
}

/** Rule 4. */
function decrypt(content: string, client: ReturnType<typeof createECDH>): string {
  const bytes = Buffer.from(content, 'hex');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    aesKey(client.computeSecret(bytes.subarray(0, 65))),
    bytes.subarray(65, 77),
  );
  decipher.setAuthTag(bytes.subarray(bytes.length - 16));
  return Buffer.concat([decipher.update(bytes.subarray(77, bytes.length - 16)), decipher.final()]).toString('utf8');
}

function aesKey(sharedX: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', sharedX, new Uint8Array(0), Buffer.from('ecdsa_encryption', 'ascii'), 32));
}

/** Checks an attestation as the specification demands from clients. @returns the model's key with its 04 (rule 3 a) */
async function attestedKey(): Promise<string> {
  const nonce = randomBytes(32).toString('hex');
  const { json } = await gateway.ask({
    method: 'GET',
    path: `/api/v1/tee/attestation?model=${MODEL}&nonce=${nonce}`,
    headers: { authorization: `Bearer ${key}` },
  });
  const report = json as { verified: boolean; nonce: string; signing_key?: string; signing_public_key?: string };
  expect([report.verified, report.nonce]).toEqual([true, nonce]);
  const modelKey = report.signing_key ?? report.signing_public_key ?? '';
  return modelKey.length === 128 ? `04${modelKey}` : modelKey;
}

async function converse(
  messages: { role: string; content: string }[],
  modelKey: string,
): Promise<{ text: string; deltas: string[]; body: string }> {
  const client = createECDH('secp256k1');
  client.generateKeys();
  const body = JSON.stringify({
    model: MODEL,
    stream: true,
    messages: messages.map(({ role, content }) =>
      role === 'user' || role === 'system' ? { role, content: encrypt(content, modelKey) } : { role, content },
    ),
  });
  const answer = await fetch(`${gateway.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'X-Service-TEE-Client-Pub-Key': client.getPublicKey('hex'),
      'X-Service-TEE-Model-Pub-Key': modelKey,
      'X-Service-TEE-Signing-Algo': 'ecdsa',
    },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  expect(lines.at(-1)).toBe('data: [DONE]');
  const deltas = lines
    .slice(0, -1)
    .map(
      (line) =>
        (JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? '',
    )
    .filter((content) => content !== '');
  return { text: deltas.map((content) => decrypt(content, client)).join(''), deltas, body };
}

/** Returns the plaintext answer of a model with the same documentation. The decrypted answer must equal it. */
async function plainAnswer(content: string): Promise<string> {
  const { status, text, json } = await gateway.ask({
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'guide', messages: [{ role: 'user', content }] }),
  });
  expect(status, text).toBe(200);
  return (json as { choices: [{ message: { content: string } }] }).choices[0].message.content;
}

describe('an encrypted conversation', () => {
  test('is held by a client on node:crypto, both ways, over several turns', async () => {
    const modelKey = await attestedKey();
    expect(modelKey).toMatch(/^04[0-9a-f]{128}$/);
    const first = await converse(
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'How do I top up with USDC?' },
      ],
      modelKey,
    );
    expect(first.text).toContain('top-up');
    for (const delta of first.deltas) expect(delta).toMatch(/^04[0-9a-f]{184,}$/);
    expect(new Set(first.deltas.map((delta) => delta.slice(0, 130))).size, 'a fresh key for each').toBe(
      first.deltas.length,
    );
    expect(first.body).not.toContain('USDC');
    const question = 'Grüße! What does an attestation prove? 世界 🦊';
    const second = await converse(
      [
        { role: 'user', content: 'How do I top up with USDC?' },
        { role: 'assistant', content: 'By x402.' },
        { role: 'user', content: question },
      ],
      modelKey,
    );
    expect(second.text).toBe(await plainAnswer(question));
    expect(second.text).toMatch(/attestation/i);
  });

  test('is refused where a message was encrypted to another key', async () => {
    const other = createECDH('secp256k1');
    other.generateKeys();
    await expect(converse([{ role: 'user', content: 'Hello?' }], other.getPublicKey('hex'))).rejects.toThrow(
      /attest it again/,
    );
  });

  if (pythonHere)
    test('is held by a client in Python, both ways', async () => {
      const script = fileURLToPath(new URL('e2ee_independent.py', import.meta.url));
      const child = spawn('python3', [script, gateway.url, MODEL, 'How do I top up with USDC?'], {
        env: { ...process.env, TURNPIKE_API_KEY: key },
      });
      let [out, err] = ['', ''];
      child.stdout.on('data', (part: Buffer) => (out += part.toString()));
      child.stderr.on('data', (part: Buffer) => (err += part.toString()));
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect([code, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({
        verified: true,
        deltas: expect.any(Number),
        text: expect.stringContaining('top-up'),
      });
    });
});
