/**
 * @not next: hops depend only on reports and the list of models, which are the same for every entry.
 *   private-chat.test.ts has reports through `next`.
 * @not postgres: reports are kept only in memory, and the list of models uses no database.
 */
import { describe, expect, it, vi } from 'vitest';
import {
  chutesAnswers,
  nearCloudReport,
  nearReport,
  type SimulatedMachine,
} from '@/lib/sandbox/enclave/families/simulated-reports';
import { issueCollateral } from '@/lib/sandbox/enclave/hardware/collateral';
import { generatePlatformKeys } from '@/lib/sandbox/enclave/hardware/platform-keys';
import { chatGateway } from '@/test/chat-gateway';
import { refuses, scriptedModel } from '@/test/scripted-model';

// Cryptography in plain JavaScript is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.now();
const platform = generatePlatformKeys(nowMs);
const on: SimulatedMachine = { platform, nowMs };
/** Collateral that the reports contain, because no service publishes it. */
const collateral = issueCollateral(platform, nowMs);
/** Reports of a simulated machine, by family. */
const reports = {
  nearCloud: (asked: Uint8Array) => ({ ...nearCloudReport(on, asked), collateral }),
  nearDirect: (asked: Uint8Array) => ({ ...nearReport(on, asked), collateral }),
  chutes: (asked: Uint8Array) => {
    const { evidence, keys } = chutesAnswers(on, asked);
    return { ...evidence, ...keys, collateral };
  },
};
const NONCE = 'ab'.repeat(32);
const nonce = Buffer.from(NONCE, 'hex');

interface Hop {
  kind: string;
  name: string | null;
  reads: string;
  standing: string;
}

async function enclave(body: unknown, { encrypts = false } = {}) {
  const upstream = await scriptedModel(refuses(200, body), [
    { id: 'simulated', model_spec: { capabilities: { supportsE2EE: encrypts } } },
  ]);
  const plain = await scriptedModel(undefined, [{ id: 'plain' }]);
  const roots = [{ certificate: Buffer.from(platform.certificates.root).toString('base64'), simulated: true }];
  const { get } = await chatGateway({
    enclaveUpstreams: [{ name: 'far', url: upstream.url }],
    chatUpstreams: [{ name: 'near', url: plain.url }],
    attestation: { roots, pccsUrl: null, nvidiaUrl: null },
  });
  const attest = async () =>
    (await get(`/tee/attestation?model=simulated&nonce=${NONCE}`)).json as Record<string, unknown> & {
      hops: Hop[];
      enclaves: Record<string, unknown>[];
      provider_answers: string[] | null;
    };
  const listed = async (id: string) =>
    ((await get(`/models/${id}`)).json as { model_spec: Record<string, unknown> & { hops: Hop[] } }).model_spec;
  return { attest, listed, get };
}

const brief = (hops: readonly Hop[]) =>
  hops.map(({ kind, name, reads, standing }) => `${kind} ${name ?? '-'} ${reads} ${standing}`);

describe('the hops of a report', () => {
  it('name both enclaves of a chain with what they report, and what a provider answered comes along as it came', async () => {
    const report = reports.nearCloud(nonce);
    const { attest } = await enclave(report);
    const { family, enclaves, hops, provider_answers: answers, verdict, simulated } = await attest();
    expect({ family, verdict, simulated, answers }).toEqual({
      family: 'near-cloud',
      verdict: 'simulated',
      simulated: true,
      answers: [JSON.stringify(report)],
    });
    expect(enclaves).toMatchObject([
      {
        role: 'router',
        hardware: 'intel-tdx',
        measurements: { kind: 'intel-tdx', mrTd: expect.stringMatching(/^[0-9a-f]{96}$/) as unknown },
        gpus: null,
      },
      { role: 'model', model: 'simulated' },
    ]);
    expect(brief(hops)).toEqual([
      'client - content own',
      'gateway - content claim',
      'provider far content claim',
      'router - content unchecked',
      'model - content unchecked',
      'gpu - content claim',
    ]);
    expect(JSON.stringify(enclaves)).not.toContain('verdict');
  });

  it('are as many as the instance that would be used has, of several', async () => {
    const { attest } = await enclave(reports.chutes(nonce));
    const { family, enclaves, hops, verdict } = await attest();
    expect({ family, count: enclaves.length, verdict }).toEqual({ family: 'chutes', count: 2, verdict: 'simulated' });
    expect(brief(hops).slice(3)).toEqual(['model instance-1 content unchecked', 'gpu - content claim']);
  });

  it('leave a failed chain failed: a router that answers another nonce is not covered by its model', async () => {
    const { gateway_attestation: stale } = nearCloudReport(on, Buffer.alloc(32, 1)) as { gateway_attestation: unknown };
    const { attest } = await enclave({ ...reports.nearCloud(nonce), gateway_attestation: stale });
    expect(await attest()).toMatchObject({ family: 'near-cloud', verified: false, verdict: 'failed' });
  });

  it('keep from a gateway what is encrypted, and say so', async () => {
    const { attest } = await enclave(reports.nearDirect(nonce), { encrypts: true });
    expect(brief((await attest()).hops).slice(1, 3)).toEqual([
      'gateway - metadata unchecked',
      'provider far metadata unchecked',
    ]);
  });

  it('are there for an answer that nobody can read, without an enclave', async () => {
    const { attest } = await enclave({
      verified: true,
      verdict: 'verified',
      hops: [{ kind: 'model', standing: 'verified' }],
      enclaves: ['mine'],
    });
    const { family, enclaves, hops, provider_answers: answers, verified } = await attest();
    expect({ family, enclaves, answers, verified }).toEqual({
      family: null,
      enclaves: [],
      answers: null,
      verified: false,
    });
    expect(brief(hops).slice(3)).toEqual(['model - content unchecked', 'gpu - content claim']);
  });
});

describe('the hops of the list of models', () => {
  it('are claims for a model outside of enclaves', async () => {
    const { listed } = await enclave({});
    const { family, enclaves, hops } = await listed('plain');
    expect({ family, enclaves }).toEqual({ family: null, enclaves: [] });
    expect(brief(hops)).toEqual([
      'client - content own',
      'gateway - content claim',
      'provider near content claim',
      'model - content claim',
    ]);
  });

  it('know the enclaves of a model from its last report, and never more of them than that somebody could check', async () => {
    const { listed, attest } = await enclave(reports.nearCloud(nonce));
    expect(brief((await listed('simulated')).hops).slice(3)).toEqual([
      'model - content unchecked',
      'gpu - content claim',
    ]);
    await attest();
    const { family, enclaves, hops } = await listed('simulated');
    expect(family).toBe('near-cloud');
    expect(enclaves).toMatchObject([{ role: 'router' }, { role: 'model' }]);
    expect(JSON.stringify(enclaves)).not.toContain('keys');
    expect(
      hops.map(({ standing }) => standing).filter((standing) => !['own', 'claim', 'unchecked'].includes(standing)),
    ).toEqual([]);
  });
});
