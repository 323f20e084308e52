import type * as PrivateChat from '@/lib/client/private-chat';
import type { Attestation, PrivateChatOptions } from '@/lib/client/private-chat';
import { describe, expect, it, vi } from 'vitest';
import { takesUnknownWorkload } from './kept-pins';
import { askPrivately } from './private-sessions';
import { privacyOf, noteJudged, notePrivacy, seeChanges } from './privacy-store';

vi.mock('./kept-pins', { spy: true });
vi.mock('@/lib/client/private-chat', async (original) => {
  class PrivateChatSession {
    readonly attestation = null;
    constructor(private readonly options: PrivateChatOptions) {}
    async *send() {
      yield await Promise.resolve({ type: 'sent', request: { isEncrypted: this.options.encrypted } });
    }
  }
  return { ...(await original<typeof PrivateChat>()), PrivateChatSession };
});

const attested = (model: string, address: string | null): Attestation => ({
  model,
  nonce: '00'.repeat(32),
  verdict: {
    conclusion: address === null ? 'failed' : 'verified',
    reason: null,
    checks: [],
    key: address === null ? null : { address, publicKey: null },
    measurements: null,
    workload: null,
    checkedAtMs: 0,
    family: 'near-ecdsa',
    enclaves: [],
  },
  encryption: 'secp256k1',
  claim: { verified: null, verdict: null, reason: null, provider: null },
  report: {},
  latencyMs: 0,
  verifyMs: 0,
  exportText: () => '',
});
const keyBefore = (model: string) => {
  const privacy = privacyOf(model);
  return privacy.kind === 'judged' ? privacy.keyBefore : undefined;
};

describe('the lock of a model', () => {
  it('says that the key is another than the one attested before, also after a check that failed in between', () => {
    noteJudged(attested('a', '0x01'));
    expect(keyBefore('a')).toBeNull();
    noteJudged(attested('a', '0x01'));
    expect(keyBefore('a')).toBeNull();
    noteJudged(attested('a', null));
    expect(keyBefore('a')).toBeNull();
    notePrivacy('a', { kind: 'checking' });
    noteJudged(attested('a', '0x02'));
    expect(keyBefore('a')).toBe('0x01');
    noteJudged(attested('a', '0x02'));
    expect(keyBefore('a')).toBeNull();
  });

  it('does not compare the keys of two models', () => {
    noteJudged(attested('b', '0x03'));
    noteJudged(attested('c', '0x04'));
    expect([keyBefore('b'), keyBefore('c')]).toEqual([null, null]);
  });
});

describe('what changed between two verdicts', () => {
  const measuring = (model: string, mrTd: string, conclusion: 'verified' | 'failed' = 'verified'): Attestation => {
    const attestation = attested(model, conclusion === 'failed' ? null : '0x01');
    const measurements = {
      kind: 'intel-tdx',
      mrTd,
      rtMr0: null,
      rtMr1: null,
      rtMr2: null,
      rtMr3: null,
      mrConfigId: null,
      composeHash: null,
    } as const;
    const enclave = {
      role: 'model',
      name: null,
      hardware: 'intel-tdx',
      verdict: conclusion,
      reason: null,
      checks: [],
      keys: [],
      measurements,
      workload: null,
      isUsed: true,
      unusable: null,
    } as const;
    return { ...attestation, verdict: { ...attestation.verdict, conclusion, enclaves: [enclave] } };
  };
  const changes = (model: string) => {
    const privacy = privacyOf(model);
    return privacy.kind === 'judged' ? privacy.changes.map(({ name, before, now }) => [name, before, now]) : null;
  };

  it('stays until it is seen, however often the same is verified, and is then what the next is compared with', () => {
    noteJudged(measuring('d', 'aa'));
    expect(changes('d')).toEqual([]);
    noteJudged(measuring('d', 'bb'));
    notePrivacy('d', { kind: 'checking' });
    noteJudged(measuring('d', 'bb'));
    expect(changes('d')).toEqual([['mrTd', 'aa', 'bb']]);
    seeChanges('d');
    expect(changes('d')).toEqual([]);
    noteJudged(measuring('d', 'bb'));
    expect(changes('d')).toEqual([]);
    noteJudged(measuring('d', 'cc'));
    expect(changes('d')).toEqual([['mrTd', 'bb', 'cc']]);
  });

  it('is not forgotten over a verdict that does not hold, which changes nothing itself', () => {
    noteJudged(measuring('e', 'aa'));
    noteJudged(measuring('e', 'ff', 'failed'));
    expect(changes('e')).toEqual([]);
    seeChanges('e');
    noteJudged(measuring('e', 'bb'));
    expect(changes('e')).toEqual([['mrTd', 'aa', 'bb']]);
  });

  it('is of one model, and seeing it of a lock that nobody judged does nothing', () => {
    noteJudged(measuring('f', 'aa'));
    noteJudged(measuring('g', 'bb'));
    expect([changes('f'), changes('g')]).toEqual([[], []]);
    seeChanges('nobody');
    expect(privacyOf('nobody').kind).toBe('unchecked');
  });
});

describe('a conversation whose model changes in the list', () => {
  const isSentEncrypted = async (conversationId: string, isEncryptable: boolean) => {
    const connection = { baseUrl: 'https://gateway.example' };
    const model = { modelId: 'm', isEncryptable, connection, simulatedRoot: null };
    const { signal } = new AbortController();
    for await (const event of askPrivately(model, conversationId, [], {}, signal))
      if (event.type === 'sent') return event.request.isEncrypted;
    return null;
  };

  it('is encrypted from the next question on, as soon as the model can decrypt', async () => {
    expect(await isSentEncrypted('h', false)).toBe(false);
    expect(await isSentEncrypted('h', true)).toBe(true);
  });

  it('stays encrypted when the list says that the model cannot decrypt, also after a change of pins', async () => {
    expect(await isSentEncrypted('i', true)).toBe(true);
    vi.mocked(takesUnknownWorkload).mockReturnValueOnce(true);
    expect(await isSentEncrypted('i', false)).toBe(true);
  });
});
