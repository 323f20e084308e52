import { describe, expect, it } from 'vitest';
import type { UpstreamEncryption } from '../config/inference';
import type { AttestedModel } from './attested-model';
import { SeenReports } from './seen-reports';
import { AskedFamilies, unsignedFault } from './unsigned-answers';

const NEAR = { intel_quote: '00', signing_address: '0x00', signing_public_key: '04' };

/** Reports with only the fields that identify each family. */
const REPORTS = {
  'near-ecdsa': NEAR,
  'near-ed25519': { ...NEAR, signing_algo: 'ed25519' },
  'near-cloud': { gateway_attestation: NEAR, model_attestations: [{ ...NEAR, model_name: 'm' }] },
  chutes: { evidence: [{ quote: '00', instance_id: 'i' }] },
  'phala-cloud': { ...NEAR, all_attestations: [{ ...NEAR, instance_id: 'i', app_compose: '{}' }] },
  tinfoil: { report_data: { tls_key_fp: '00', hpke_key: '00' }, cpu: { platform: 'tdx' } },
};

interface Case {
  family?: keyof typeof REPORTS;
  /** Encryption between client and model; null if there is none. */
  encryption?: UpstreamEncryption | null;
  configured?: UpstreamEncryption;
  status?: number;
}

/** Creates a model whose enclave answers with a report of a family, and records its requests. */
function modelOf({ family = 'near-ecdsa', encryption = null, configured = 'ecdsa', status = 200 }: Case) {
  const asked: string[] = [];
  const ask = ({ path }: { path: string }) => {
    asked.push(path);
    return Promise.resolve({ status, headers: {}, body: Buffer.from(JSON.stringify(REPORTS[family])) });
  };
  const model: AttestedModel = {
    id: 'm',
    encryption,
    upstream: {
      name: 'u',
      encryption: configured,
      ask: ask as AttestedModel['upstream']['ask'],
      redact: (text) => text,
    },
  };
  return { model, asked };
}

const faultOf = async (request: Case) =>
  (await unsignedFault(modelOf(request).model, new AskedFamilies(new SeenReports())))?.message ?? null;

describe('where there is no signature of a completion', () => {
  it.each(['chutes', 'phala-cloud', 'tinfoil', 'near-ed25519'] as const)(
    'and enclaves of the family %s sign none, it is said what vouches for answers',
    async (family) => {
      expect(await faultOf({ family })).toBe(
        'Answers of this model are not signed: the attestation proves which enclave runs, but not that a single answer came from it.',
      );
    },
  );

  it.each(['ehbp', 'ml-kem-768'] as const)(
    'and what is sent is encrypted as a whole (%s), it is the encryption, without a question',
    async (encryption) => {
      const { model, asked } = modelOf({ encryption, configured: encryption });
      const fault = await unsignedFault(model, new AskedFamilies(new SeenReports()));
      expect([fault?.code, fault?.message]).toEqual([
        'ANSWERS_NOT_SIGNED',
        expect.stringMatching(/^Answers of this model are not signed: an encrypted answer needs no signature/),
      ]);
      expect(asked).toEqual([]);
    },
  );

  it.each<[string, Case]>([
    ['of the specification', {}],
    ['of NEAR AI with a router', { family: 'near-cloud' }],
    ['of NEAR AI with keys of ed25519, where those are asked for', { family: 'near-ed25519', configured: 'ed25519' }],
    ['that gives no report', { family: 'chutes', status: 503 }],
  ])('and the enclave is one %s, nothing of the kind is said', async (_what, request) =>
    expect(await faultOf(request)).toBeNull(),
  );

  it.each(['ecdsa', 'ed25519'] as const)(
    'of a model whose messages are encrypted with %s, nobody is asked: it signs',
    async (encryption) => {
      const { model, asked } = modelOf({ family: 'chutes', encryption });
      expect(await unsignedFault(model, new AskedFamilies(new SeenReports()))).toBeNull();
      expect(asked).toEqual([]);
    },
  );

  it('a family that was seen, or asked for before, is not asked for again; one that could not be told is', async () => {
    const seen = new SeenReports();
    seen.note('m', { family: 'chutes', enclaves: [] });
    const known = modelOf({});
    expect(await new AskedFamilies(seen).of(known.model)).toBe('chutes');
    expect(known.asked).toEqual([]);

    const families = new AskedFamilies(new SeenReports());
    const unseen = modelOf({ family: 'phala-cloud' });
    expect([await families.of(unseen.model), await families.of(unseen.model)]).toEqual(['phala-cloud', 'phala-cloud']);
    expect(unseen.asked).toHaveLength(1);

    const away = modelOf({ family: 'phala-cloud', status: 500 });
    const others = new AskedFamilies(new SeenReports());
    expect([await others.of(away.model), await others.of(away.model)]).toEqual([null, null]);
    expect(away.asked).toHaveLength(2);
  });
});
