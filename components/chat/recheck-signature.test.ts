import type * as PrivateChat from '@/lib/client/private-chat';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recheckSignature } from './recheck-signature';
import { raiseAlarm } from './privacy/tamper-alarms';

// Cryptography in plain JavaScript is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/**
 * Address that the enclave attests now; null for none. Mocked, because a real attestation needs hardware or a
 * simulator.
 */
const now = vi.hoisted(() => ({ address: null as string | null, timesAsked: 0 }));
vi.mock('@/lib/client/private-chat', async (original) => {
  const real = await original<typeof PrivateChat>();
  class PrivateChatSession {
    reattest() {
      now.timesAsked++;
      return Promise.resolve({ verdict: { key: now.address === null ? null : { address: now.address } } });
    }
  }
  return { ...real, PrivateChatSession };
});

vi.mock('./privacy/tamper-alarms', { spy: true });

const MODEL = 'e2ee-guide';
const attested = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const other = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const attestedAddress = attested.address.toLowerCase();
const claim = { completionId: 'c', requestHash: 'a'.repeat(64), responseHash: 'b'.repeat(64), attestedAddress };
const text = `${claim.requestHash}:${claim.responseHash}`;

function model(answer: () => Response, isEncryptable = false) {
  const connection = { baseUrl: 'https://gateway.example', fetch: () => Promise.resolve(answer()) };
  return { modelId: MODEL, isEncryptable, connection, simulatedRoot: null };
}

async function signedBy(account: typeof attested, over = text) {
  const signature = await account.signMessage({ message: over });
  return () => Response.json({ text: over, signature, signing_address: account.address });
}

beforeEach(() => {
  now.address = null;
  now.timesAsked = 0;
  vi.mocked(raiseAlarm).mockClear();
});

describe('a signature that is asked for again', () => {
  it('is verified where it holds now, without another attestation or a warning', async () => {
    expect(await recheckSignature(model(await signedBy(attested)), claim)).toEqual({
      state: 'verified',
      sentence: expect.stringContaining(attestedAddress),
    });
    expect(now.timesAsked).toBe(0);
    expect(raiseAlarm).not.toHaveBeenCalled();
  });

  it('raises the warning where it does not hold, as for any other answer', async () => {
    expect(await recheckSignature(model(await signedBy(attested, 'something else')), claim)).toMatchObject({
      state: 'failed',
    });
    expect(raiseAlarm).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        modelId: MODEL,
        nothingSent: false,
        sentence: 'The signature of an answer is not valid.',
      }),
    );
  });

  it('by another key counts only where the enclave proves that key now', async () => {
    const answer = await signedBy(other);
    now.address = other.address.toLowerCase();
    const signature = await recheckSignature(model(answer), claim);
    expect(signature.state).toBe('attested-after');
    expect(signature.sentence).toContain(attestedAddress);
    expect(raiseAlarm).not.toHaveBeenCalled();

    now.address = attestedAddress;
    expect((await recheckSignature(model(answer), claim)).state).toBe('failed');
    expect(raiseAlarm).toHaveBeenCalledOnce();
  });

  it('by another key never counts for what was encrypted to the attested one', async () => {
    now.address = other.address.toLowerCase();
    expect((await recheckSignature(model(await signedBy(other), true), claim)).state).toBe('failed');
    expect(now.timesAsked).toBe(0);
    expect(raiseAlarm).toHaveBeenCalledOnce();
  });

  it('that is gone by now may have been there, and can no longer be asked for', async () => {
    const gone = () =>
      Response.json(
        { error: 'There is no signature for this request.', code: 'SIGNATURE_NOT_FOUND' },
        { status: 404, headers: { 'x-request-id': 'r' } },
      );
    const signature = await recheckSignature(model(gone), claim);
    expect(signature.state).toBe('unchecked');
    expect(signature.claim).toBeUndefined();
    expect(raiseAlarm).not.toHaveBeenCalled();
  });

  it('that the gateway could not fetch can be asked for again', async () => {
    const refused = () =>
      Response.json(
        { error: 'Who calls?', code: 'INVALID_API_KEY' },
        { status: 401, headers: { 'x-request-id': 'r' } },
      );
    expect(await recheckSignature(model(refused), claim)).toMatchObject({ state: 'unchecked', isRefused: true, claim });
  });
});
