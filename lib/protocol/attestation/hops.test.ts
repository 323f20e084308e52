import { describe, expect, it } from 'vitest';
import type { EnclaveVerdict, EnclaveVerdictName } from './enclave';
import type { EnclaveCheckId } from './enclave-checks';
import { HOP_STANDINGS, HOP_TITLES, whoCouldRead } from './hop-texts';
import type { Hop, HopRequest } from './hop';
import { hopsOf } from './hops';
import { reportedEnclaves, type ReportedEnclave } from './reported-enclaves';

const reported: ReportedEnclave = {
  role: 'model',
  name: null,
  model: 'm',
  hardware: 'intel-tdx',
  measurements: null,
  keys: [{ purpose: 'encryption', algorithm: 'secp256k1', value: '04' }],
  gpus: null,
  unusable: null,
};
const checked = (
  role: EnclaveVerdict['role'],
  verdict: EnclaveVerdictName,
  change: Partial<EnclaveVerdict> & {
    outcomes?: Partial<Record<EnclaveCheckId, 'passed' | 'failed' | 'not-checkable'>>;
  } = {},
): EnclaveVerdict => {
  const { outcomes = {}, ...rest } = change;
  const checks = Object.entries(outcomes).map(([id, outcome]) => ({
    id: id as EnclaveCheckId,
    title: id,
    outcome,
    evidence: {},
    reason: null,
  }));
  return {
    role,
    name: null,
    hardware: 'intel-tdx',
    verdict,
    reason: null,
    checks,
    keys: [{ purpose: 'encryption', algorithm: 'secp256k1', value: role }],
    measurements: null,
    workload: null,
    isUsed: true,
    unusable: null,
    ...rest,
  };
};
const GPUS = { outcomes: { 'gpu-evidence': 'passed', gpu: 'passed' } } as const;
const ask = (change: Partial<HopRequest>): HopRequest => ({
  client: 'program',
  gateway: null,
  provider: null,
  isAttested: true,
  encryption: 'secp256k1',
  family: 'near-ecdsa',
  enclaves: [],
  ...change,
});
const brief = (request: Partial<HopRequest>) =>
  hopsOf(ask(request)).map(({ kind, reads, proof, standing }) => [kind, reads, proof, standing].join(' '));

describe('the hops of a prompt', () => {
  it('are all read by everybody on the way where nothing is attested, and every one is a claim', () => {
    expect(brief({ isAttested: false, encryption: null, family: null })).toEqual([
      'client content none own',
      'gateway content claim claim',
      'provider content claim claim',
      'model content claim claim',
    ]);
  });

  it('leave the gateway and the provider no word where content is encrypted, as far as the enclave was verified', () => {
    expect(brief({ enclaves: [checked('model', 'verified', GPUS)] })).toEqual([
      'client content none own',
      'gateway metadata encryption verified',
      'provider metadata encryption verified',
      'model content attestation verified',
      'gpu content attestation verified',
    ]);
    expect(brief({ enclaves: [checked('model', 'failed', { keys: [] })] })).toEqual(
      expect.arrayContaining(['gateway metadata encryption failed', 'model content attestation failed']),
    );
  });

  it('call claims what an attested enclave proves nothing of: a gateway that reads along, and GPUs that are in no report', () => {
    expect(brief({ encryption: null, enclaves: [checked('model', 'verified')] })).toEqual([
      'client content none own',
      'gateway content claim claim',
      'provider content claim claim',
      'model content attestation verified',
      'gpu content claim claim',
    ]);
  });

  it('name both enclaves of a chain, each with its own verdict, and who of them gets content', () => {
    const enclaves = [checked('router', 'failed', { keys: [] }), checked('model', 'unknown-workload', GPUS)];
    expect(brief({ family: 'near-cloud', enclaves })).toEqual([
      'client content none own',
      'gateway metadata encryption unknown-workload',
      'provider metadata encryption unknown-workload',
      'router metadata attestation failed',
      'model content attestation unknown-workload',
      'gpu content attestation unknown-workload',
    ]);
    expect(brief({ family: 'near-cloud', encryption: null, enclaves })).toContain('router content attestation failed');
  });

  it('with HPKE end encryption at the first enclave', () => {
    const keys = [{ purpose: 'encryption', algorithm: 'x25519-hpke', value: 'aa' }] as const;
    expect(
      brief({
        family: 'tinfoil',
        encryption: 'x25519-hpke',
        enclaves: [checked('router', 'simulated', { keys }), checked('model', 'verified', { keys })],
      }).slice(1, 5),
    ).toEqual([
      'gateway metadata encryption simulated',
      'provider metadata encryption simulated',
      'router content attestation simulated',
      'model content attestation verified',
    ]);
  });

  it('go on behind a router at which the report ends: the model there and its GPUs are claims, and not left out', () => {
    const keys = [{ purpose: 'encryption', algorithm: 'x25519-hpke', value: 'aa' }] as const;
    const alone = {
      family: 'tinfoil',
      encryption: 'x25519-hpke',
      enclaves: [checked('router', 'verified', { keys })],
    } as const;
    expect(brief(alone)).toEqual([
      'client content none own',
      'gateway metadata encryption verified',
      'provider metadata encryption verified',
      'router content attestation verified',
      'model content claim claim',
      'gpu content claim claim',
    ]);
    const [model, gpus] = hopsOf(ask({ ...alone, provider: 'p' })).slice(-2);
    expect(gpus?.text.proof).toBe('Nothing in the report. The provider only claims which hardware computes.');
    expect(model?.text).toMatchObject({
      operator: 'Whoever runs the model (p).',
      proof: expect.stringContaining('ends at the router') as unknown,
    });
  });

  it('take of several instances the one that would be used, and never one without a key where there is another', () => {
    const enclaves = [
      checked('model', 'verified', { name: 'no key', unusable: 'It has no key.', isUsed: false }),
      checked('model', 'failed', { name: 'passed over', isUsed: false }),
      checked('model', 'simulated', { name: 'used' }),
    ];
    expect(
      hopsOf(ask({ enclaves }))
        .filter(({ kind }) => kind === 'model')
        .map(({ name, standing }) => [name, standing]),
    ).toEqual([['used', 'simulated']]);
    expect(hopsOf(ask({ enclaves: enclaves.slice(0, 1) })).find(({ kind }) => kind === 'model')).toMatchObject({
      name: 'no key',
    });
  });

  it.each<[Partial<Record<EnclaveCheckId, 'passed' | 'failed' | 'not-checkable'>>, string]>([
    [{ 'gpu-evidence': 'failed', gpu: 'passed' }, 'failed'],
    [{ 'gpu-evidence': 'passed', gpu: 'failed' }, 'failed'],
    [{ 'gpu-evidence': 'passed', gpu: 'not-checkable' }, 'not-checkable'],
    [{ 'gpu-evidence': 'not-checkable', gpu: 'not-checkable' }, 'claim'],
    [{ gpu: 'passed' }, 'claim'],
    [{}, 'claim'],
  ])('have GPUs that with the checks %j stand as %s', (outcomes, standing) => {
    expect(hopsOf(ask({ enclaves: [checked('model', 'verified', { outcomes })] })).at(-1)).toMatchObject({
      kind: 'gpu',
      standing,
    });
  });

  it('are never more than unchecked where nobody verified the report, whoever says that he did', () => {
    const liar = { ...reported, verified: true, verdictOfServer: 'verified', gpus: { arch: 'HOPPER', count: 8 } };
    const hops = hopsOf(ask({ client: 'unknown', enclaves: [{ ...reported, role: 'router' }, liar] }));
    expect(new Set(hops.map(({ standing }) => standing))).toEqual(new Set(['own', 'unchecked']));
    expect(brief({ enclaves: [] })).toEqual([
      'client content none own',
      'gateway metadata encryption unchecked',
      'provider metadata encryption unchecked',
      'model content attestation unchecked',
      'gpu content claim claim',
    ]);
  });

  it('are claimed of a page by the gateway that it came from', () => {
    expect(hopsOf(ask({ client: 'page' }))[0]).toMatchObject({ kind: 'client', proof: 'claim', standing: 'claim' });
  });

  it('each have a title, a word for how they stand, and three whole sentences', () => {
    const all: Hop[] = [];
    for (const client of ['page', 'program', 'unknown'] as const)
      for (const encryption of [null, 'secp256k1', 'x25519-hpke'] as const)
        for (const isAttested of [true, false])
          for (const enclaves of [
            [],
            [reported],
            ...(['verified', 'unknown-workload', 'simulated', 'failed', 'not-checkable'] as const).map((verdict) => [
              checked('router', verdict),
              checked('model', verdict, GPUS),
            ]),
          ])
            all.push(
              ...hopsOf(ask({ client, encryption, isAttested, enclaves, gateway: 'gate.example', provider: 'p' })),
            );
    for (const { kind, standing, text } of all) {
      expect(HOP_TITLES[kind]).toMatch(/\S/);
      expect(HOP_STANDINGS[standing]).toMatch(/\S/);
      for (const sentence of Object.values(text)) expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe('who could read', () => {
  const said = (request: Partial<HopRequest>) => whoCouldRead(hopsOf(ask(request)));

  it.each([
    ['verified', 'was verified and runs a pinned workload'],
    ['unknown-workload', 'runs a workload that is not pinned'],
    ['simulated', 'This one is simulated'],
  ] as const)(
    'names whoever runs the model behind a router that is %s, and says no more of the router than that',
    (standing, words) => {
      const alone = said({ enclaves: [checked('router', standing)] });
      expect(alone).toContain(words);
      expect(alone).toContain('Whoever runs the model could also read it');
    },
  );

  it('names those whom nothing keeps from it', () => {
    expect(said({ isAttested: false, encryption: null })).toBe(
      'This gateway, the provider’s servers and whoever runs the model could read every word, and nothing proves that they do not.',
    );
    expect(said({ encryption: null, enclaves: [checked('model', 'verified')] })).toContain(
      'This gateway and the provider’s servers could read',
    );
  });

  it('says what encryption is worth by the worst enclave on the way', () => {
    expect(said({ enclaves: [checked('model', 'verified')] })).toMatch(
      /^Nobody could read a word except a verified enclave/,
    );
    expect(said({ enclaves: [checked('router', 'failed'), checked('model', 'verified')] })).toContain('is not valid');
    expect(said({ enclaves: [checked('model', 'simulated')] })).toContain('This one is simulated');
    expect(said({ enclaves: [reported] })).toContain('not checked here');
    expect(said({ enclaves: [checked('router', 'failed')] })).toContain('is not valid');
    expect(said({ enclaves: [checked('router', 'not-checkable')] })).toContain('cannot be checked');
  });
});

describe('what a report says of its enclaves', () => {
  const of = (...answers: object[]) =>
    reportedEnclaves(answers.map((json) => ({ json: json as Record<string, unknown>, text: JSON.stringify(json) })));

  it('is nothing where the answer is of no family, or cannot be read', () => {
    expect(of()).toEqual({ family: null, enclaves: [] });
    expect(of({ verified: true })).toEqual({ family: null, enclaves: [] });
    expect(of({ gateway_attestation: {}, model_attestations: [] })).toEqual({ family: 'near-cloud', enclaves: [] });
    expect(
      of({
        evidence: [
          { quote: 'aa', instance_id: 'a' },
          { quote: 'aa', instance_id: 'a' },
        ],
      }),
    ).toEqual({ family: 'chutes', enclaves: [] });
    expect(
      of({ evidence: Array.from({ length: 10_000 }, (_, index) => ({ quote: 'aa', instance_id: String(index) })) }),
    ).toEqual({ family: 'chutes', enclaves: [] });
  });

  it('is role, hardware and keys, and no measurements of a quote that cannot be read', () => {
    const key = 'ab'.repeat(32);
    expect(
      of({ intel_quote: '00ff', signing_address: key, signing_algo: 'ed25519', model_name: 'm', nvidia_payload: '{' }),
    ).toEqual({
      family: 'near-ed25519',
      enclaves: [
        {
          role: 'model',
          name: null,
          model: 'm',
          hardware: 'intel-tdx',
          measurements: null,
          keys: ['signature', 'encryption'].map((purpose) => ({ purpose, algorithm: 'ed25519', value: key })),
          gpus: null,
          unusable: null,
        },
      ],
    });
  });

  it('has no word of a verdict', () => {
    expect(
      JSON.stringify(of({ intel_quote: '00', signing_address: '0x00', verified: true, verdict: 'verified' })),
    ).not.toMatch(/verif|verdict/);
  });
});
