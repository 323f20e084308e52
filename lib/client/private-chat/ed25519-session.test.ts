import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from './index';
import { encryptToEd25519 } from '@/lib/protocol/e2ee/ed25519-codec';
import { TAMPERINGS } from '@/lib/sandbox/enclave/enclave';
import { codeOf, outcomeOf, textOf, typesOf } from '@/test/private-chat/chat-outcome';
import { altering, flipped, resigning, withContents } from '@/test/private-chat/in-between';
import { gatewayOfTests, sessionsWith } from '@/test/private-chat/sessions';
import type { SeenRequest } from '@/test/private-chat/enclave-gateway';

const CANARY = 'How does staking work? 7f3a-canary';
const question: ChatMessage[] = [{ role: 'user', content: CANARY }];
const gateway = await gatewayOfTests();
const sessionOf = sessionsWith(gateway, 'near-ed25519-guide');

const keyOf = () => Buffer.from(gateway.enclave.ed25519Keys.publicKey).toString('hex');

const forged = ({ headers }: SeenRequest) =>
  encryptToEd25519('Trust me.', hexToBytes(String(headers['x-service-tee-client-pub-key'])));

describe('a chat that is encrypted to a key of ed25519', () => {
  it('attests, encrypts, decrypts, and verifies the signature over the bytes by the attested key', async () => {
    const { events, error } = await outcomeOf(sessionOf().send(question));
    expect(error).toBeNull();
    expect(typesOf(events)).toEqual(['attested', 'sent', 'began', 'delta', 'usage', 'signature', 'done']);
    expect(textOf(events)).toContain('daily allocation');
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      signature: { outcome: 'verified', reason: null, signer: keyOf(), attestedAddress: keyOf() },
      attestation: { encryption: 'ed25519', verdict: { conclusion: 'simulated', family: 'near-ed25519', key: null } },
    });
  });

  it('lets nobody in between read a word, and makes a new client key for every request', async () => {
    const session = sessionOf();
    const first = await session.ask([{ role: 'system', content: 'system-canary' }, ...question]);
    await session.ask([
      ...question,
      { role: 'assistant', content: first.answer.text },
      { role: 'user', content: 'How do I top up?' },
    ]);
    const seen = gateway.completions();
    for (const { body } of seen)
      for (const word of ['canary', 'staking', 'allocation']) expect(body.toString()).not.toContain(word);
    expect(first.answer.received.text()).not.toContain('allocation');
    expect(new Set(seen.map(({ headers }) => headers['x-service-tee-client-pub-key'])).size).toBe(2);
    expect(seen[0]?.headers).toMatchObject({
      'x-service-tee-model-pub-key': keyOf(),
      'x-service-tee-signing-algo': 'ed25519',
      'x-encryption-version': '2',
    });
  });

  it('has log probabilities encrypted too, and reads them', async () => {
    const { answer } = await sessionOf().ask(question, { parameters: { logprobs: true, max_tokens: 12 } });
    expect(gateway.completions()[0]?.headers['x-encrypt-all-fields']).toBe('true');
    expect(answer.logprobs?.map(({ token }) => token).join('')).toBe(answer.text);
  });

  it.each(TAMPERINGS)('sends nothing where the attestation is false (%s)', async (tampering) => {
    gateway.models.near.tampering = tampering;
    expect(codeOf((await outcomeOf(sessionOf().send(question))).error)).toBe('ATTESTATION_NONCE');
    expect(gateway.completions()).toEqual([]);
  });

  it('sends nothing where somebody put another key into the report', async () => {
    gateway.interpose((answer, { path }) =>
      path.startsWith('/api/v1/tee/attestation')
        ? {
            ...answer,
            body: Buffer.from(
              answer.body.toString().replaceAll(keyOf(), Buffer.from(ed25519.keygen().publicKey).toString('hex')),
            ),
          }
        : answer,
    );
    expect(codeOf((await outcomeOf(sessionOf().send(question))).error)).toBe('ATTESTATION_FAILED');
    expect(gateway.completions()).toEqual([]);
  });

  it('attests anew where the enclave has another key by now, and asks once more', async () => {
    const session = sessionOf();
    await session.start();
    gateway.enclave.rotateKey();
    const { events, error } = await outcomeOf(session.send(question));
    expect(error).toBeNull();
    expect(events.filter(({ type }) => type === 'attested')).toMatchObject([{ because: 'rotation' }]);
    expect(events.at(-1)).toMatchObject({ signature: { outcome: 'verified', signer: keyOf() } });
  });
});

describe('somebody between client and enclave', () => {
  it.each<[string, (stream: string, request: SeenRequest) => string, string]>([
    [
      'plain text',
      (stream) => withContents(stream, (content, index) => (index === 1 ? 'Trust me.' : content)),
      'REPLY_NOT_ENCRYPTED',
    ],
    [
      'a flipped bit of a key',
      (stream) => withContents(stream, (content, index) => (index === 0 ? flipped(content, 5) : content)),
      'REPLY_NOT_DECRYPTABLE',
    ],
    [
      'a flipped bit of a nonce',
      (stream) => withContents(stream, (content, index) => (index === 1 ? flipped(content, 70) : content)),
      'REPLY_NOT_DECRYPTABLE',
    ],
    [
      'a flipped bit of a text',
      (stream) => withContents(stream, (content, index) => (index === 1 ? flipped(content, 120) : content)),
      'REPLY_NOT_DECRYPTABLE',
    ],
    ['a cut ciphertext', (stream) => withContents(stream, (content) => content.slice(0, -2)), 'REPLY_NOT_DECRYPTABLE'],
    [
      'content to another key',
      (stream) => withContents(stream, () => encryptToEd25519('Trust me.', ed25519.keygen().publicKey)),
      'REPLY_NOT_DECRYPTABLE',
    ],
    ['no [DONE]', (stream) => stream.replace('data: [DONE]\n\n', ''), 'REPLY_CUT'],
    // Anyone can encrypt to the client or drop content, so only the signature reveals these attacks.
    [
      'content of his own',
      (stream, request) => withContents(stream, (content, index) => (index === 1 ? forged(request) : content)),
      'SIGNATURE_INVALID',
    ],
    [
      'a delta repeated',
      (stream) => stream.replace(/(data: [^\n]*"content":"[0-9a-f]{144,}[^\n]*\n\n)/, '$1$1'),
      'SIGNATURE_INVALID',
    ],
    [
      'a delta left out',
      (stream) => stream.replace(/data: [^\n]*"content":"[0-9a-f]{144,}[^\n]*\n\n/, ''),
      'SIGNATURE_INVALID',
    ],
  ])('is found out by %s', async (_what, alter, code) => {
    gateway.interpose(altering(alter));
    expect(codeOf((await outcomeOf(sessionOf().send(question))).error)).toBe(code);
  });

  it.each<[string, (signed: { text: string; signature: string }) => object]>([
    [
      'a signature by another key',
      ({ text }) => {
        const other = ed25519.keygen();
        return {
          text,
          signature: Buffer.from(ed25519.sign(Buffer.from(text), other.secretKey)).toString('hex'),
          signing_address: Buffer.from(other.publicKey).toString('hex'),
          signing_algo: 'ed25519',
        };
      },
    ],
    ['a flipped bit', (signed) => ({ ...signed, signature: flipped(signed.signature, 20) })],
    ['a signature of zeros', (signed) => ({ ...signed, signature: '00'.repeat(64) })],
    ['a cut signature', (signed) => ({ ...signed, signature: signed.signature.slice(2) })],
    ['a signature over another text', (signed) => ({ ...signed, text: `${'a'.repeat(64)}:${'b'.repeat(64)}` })],
    ['another algorithm', (signed) => ({ ...signed, signing_algo: 'ecdsa' })],
    ['another name', (signed) => ({ ...signed, signing_address: 'ab'.repeat(32) })],
  ])('is found out by %s', async (_what, alter) => {
    gateway.interpose(resigning(alter));
    expect(codeOf((await outcomeOf(sessionOf().send(question))).error)).toBe('SIGNATURE_INVALID');
  });
});
