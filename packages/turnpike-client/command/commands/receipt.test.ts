import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signingInput } from '@/lib/protocol/receipts/compact-jws';
import { runCommandLine } from '../run';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-receipt-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const hashed = (text: string) => ({ sha256: createHash('sha256').update(text).digest('hex'), bytes: text.length });
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const keys = file('keys', JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] }));
const payload = {
  version: 1,
  network: 'turnpike:ledger',
  resourceUrl: 'https://gateway.example/api/v1/audio/speech',
  payer: 'key:ab',
  issuedAt: 1_795_487_400,
  issuer: 'https://gateway.example',
  requestId: '0f4b7c1de2a94f0b8c6d5e3a12b49f70',
  offer: { maximumNanoUsd: 10 },
  charge: { nanoUsd: 10, resource: 'speech/tts-kokoro', detail: '\u001b[2Jclear', units: 1, isReplay: false },
  request: { method: 'POST', ...hashed('asked') },
  answer: { status: 200, contentType: 'audio/mpeg', ...hashed('spoken'), isComplete: true },
};
const input = signingInput('one', payload);
const signature = `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
const receipt = file('receipt', JSON.stringify({ format: 'jws', signature }));

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const told = { out: '', err: '' };
  const code = await runCommandLine(['receipt', ...args], {
    env: {},
    out: (text) => void (told.out += text),
    err: (text) => void (told.err += text),
    write: () => undefined,
    askSecret: null,
    readInput: () => Promise.resolve(''),
    readLines: async function* () {},
    signal: new AbortController().signal,
  });
  return { code, ...told };
}

describe('turnpike-client receipt verify', () => {
  it('prints what a receipt proves, without a network and without an account', async () => {
    const files = ['--request', file('request', 'asked'), '--answer', file('answer', 'spoken')];
    const { code, out } = await run('verify', receipt, '--keys', keys, ...files);
    expect([code, out.match(/^\w+ +\w+/gm)?.map((line) => line.split(/ +/))]).toEqual([
      0,
      [
        ['proven', 'form'],
        ['proven', 'signature'],
        ['proven', 'request'],
        ['proven', 'answer'],
        ['stated', 'price'],
        ['stated', 'payment'],
        ['Nothing', 'in'],
      ],
    ]);
    expect(out).not.toContain('\u001b');
  });

  it('is 1 for what does not hold, as text and as JSON', async () => {
    const other = ['--answer', file('other', 'silence')];
    const text = await run('verify', receipt, '--keys', keys, ...other);
    expect([text.code, text.out]).toEqual([
      1,
      expect.stringMatching(/^refused +answer .*\n(.*\n)*The receipt is not valid/m),
    ]);
    const { code, out } = await run('verify', receipt, '--keys', keys, '--gateway', 'https://other.example', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([
      1,
      { isRefused: true, hops: [{ hop: 'form', outcome: 'refused' }] },
    ]);
  });

  it.each([
    [['verify'], /FILE is missing/],
    [['verify', 'no-such-file', '--keys', keys], /cannot be read/],
    [['verify', receipt, '--keys', file('broken', '{')], /is not JSON/],
    [['verify', receipt, '--keys', keys, '--gateway', 'gateway'], /not a URL/],
    [['check', receipt], /not an action/],
    [[], /not an action/],
  ])('is 2 for %j', async (args, sentence) => {
    const { code, err } = await run(...args);
    expect([code, err]).toEqual([2, expect.stringMatching(sentence)]);
  });
});
