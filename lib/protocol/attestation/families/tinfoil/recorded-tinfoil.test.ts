import { describe, expect, it, vi } from 'vitest';
import type { EnclaveCheckId } from '../../enclave-checks';
import { pinsFor } from '../../pins';
import type { RecordedResponse } from '../../recording/recording';
import { recordings } from '../../testing/recordings';
import { type OtherRequest, type Recording, verifyRecording } from '../../testing/verify-recording';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 120_000 });

const recorded = recordings();
const YEAR_MS = 365 * 86_400_000;
const DAY_MS = 86_400_000;
const text = new TextDecoder();

type Json = { [name: string]: Json } & Json[];
type Responses = readonly RecordedResponse[];

/** Returns the recording with one answer's body changed. If `change` returns null, the answer is removed. */
function changed(
  { manifest, responses }: Pick<Recording, 'manifest' | 'responses'>,
  url: RegExp,
  change: (body: string) => string | Uint8Array | null,
): Pick<Recording, 'manifest' | 'responses'> {
  const matching = responses.filter((response) => url.test(response.url));
  if (matching.length !== 1) throw new Error(`${matching.length} answers match ${url}.`);
  const [only] = matching as [RecordedResponse];
  // TextDecoder's "latin1" is windows-1252, which loses bytes.
  const latin = Buffer.from(only.body ?? new Uint8Array()).toString('latin1');
  const after = change(isBinary(only) ? latin : text.decode(only.body ?? new Uint8Array()));
  const body =
    after === null
      ? null
      : typeof after === 'string'
        ? isBinary(only)
          ? Buffer.from(after, 'latin1')
          : Buffer.from(after)
        : after;
  return {
    manifest,
    responses: responses.flatMap((response) =>
      response !== only ? [response] : body === null ? [] : [{ ...response, body: new Uint8Array(body) }],
    ),
  };
}

const isBinary = ({ body }: RecordedResponse) => body?.[0] === 0x30 && (body[1] ?? 0) >= 0x80;

/** Returns a function that changes one JSON value and keeps every other byte. */
function at(path: string, change: (value: string) => string) {
  return (body: string) => {
    const value = path
      .split('.')
      .reduce<Json>((json, name) => json[name] as Json, JSON.parse(body) as Json) as unknown as string;
    const [from, to] = [JSON.stringify(value), JSON.stringify(change(value))];
    if (!body.includes(from) || from === to) throw new Error(`${path} is not changed.`);
    return body.replace(from, () => to);
  };
}

/** Returns a function that parses the JSON, changes it and serializes it again. */
const rewritten = (change: (json: Json) => void) => (body: string) => {
  const json = JSON.parse(body) as Json;
  change(json);
  return JSON.stringify(json);
};

const bit =
  (index: number, mask = 1) =>
  (value: string) => {
    const bytes = Buffer.from(value, 'base64');
    const place = index < 0 ? bytes.length + index : index;
    bytes[place] = (bytes[place] as number) ^ mask;
    return bytes.toString('base64');
  };
const hexDigit = (value: string) => (value.startsWith('0') ? '1' : '0') + value.slice(1);
const byte = (index: number) => (body: string) => {
  const place = index < 0 ? body.length + index : index;
  return body.slice(0, place) + String.fromCharCode(body.charCodeAt(place) ^ 1) + body.slice(place + 1);
};
const bundleOf = (body: string) =>
  ((JSON.parse(body) as Json)['attestations']?.[0] as unknown as Json)['bundle'] as Json;
const bodyOf = ({ responses }: { responses: Responses }, url: RegExp) =>
  text.decode(responses.find((response) => url.test(response.url))?.body ?? new Uint8Array());

const DOCUMENT = /tinfoil-attestation/;
const REPORT = 'cpu.report';
const BUNDLE = 'attestations.0.bundle';
const ENTRY = `${BUNDLE}.verificationMaterial.tlogEntries.0`;

type Mutation = [
  what: string,
  change: (recording: Recording) => Pick<Recording, 'manifest' | 'responses'>,
  id: EnclaveCheckId,
  request?: OtherRequest,
];

/** Mutations that apply to documents and releases on any hardware. */
function common(release: RegExp): Mutation[] {
  const document = (change: (body: string) => string) => (recording: Recording) => changed(recording, DOCUMENT, change);
  const bundle = (change: (body: string) => string | null) => (recording: Recording) =>
    changed(recording, release, change);
  const same = (recording: Recording) => recording;
  return [
    ['another nonce', same, 'nonce', { nonce: 'ab'.repeat(32) }],
    ['another nonce in the document', document(at('report_data.nonce', hexDigit)), 'nonce'],
    ['another HPKE key', document(at('report_data.hpke_key', hexDigit)), 'signing-key'],
    ['another TLS key', document(at('report_data.tls_key_fp', hexDigit)), 'signing-key'],
    ['a signature of the document that is touched', document(at('signature', bit(-1))), 'certificate'],
    ['white space in the document', document((body) => body.replace('"cpu":', '"cpu": ')), 'certificate'],
    ['a member more in the document', document((body) => body.replace('{"format"', '{"x":1,"format"')), 'certificate'],
    ['a certificate that is touched', document(at('certificate', (pem) => pem.replace('MII', 'MIJ'))), 'certificate'],
    [
      'a bundle whose certificate is touched',
      bundle(at(`${BUNDLE}.verificationMaterial.certificate.rawBytes`, bit(-3))),
      'release',
    ],
    ['a bundle whose signature is touched', bundle(at(`${BUNDLE}.dsseEnvelope.signatures.0.sig`, bit(-1))), 'release'],
    ['a bundle whose statement is touched', bundle(at(`${BUNDLE}.dsseEnvelope.payload`, bit(200))), 'release'],
    ['a bundle whose entry is touched', bundle(at(`${ENTRY}.canonicalizedBody`, bit(100))), 'release'],
    [
      'a bundle whose promise is touched',
      bundle(at(`${ENTRY}.inclusionPromise.signedEntryTimestamp`, bit(-1))),
      'release',
    ],
    [
      'a bundle whose time is another',
      bundle(at(`${ENTRY}.integratedTime`, (time) => String(Number(time) - 1))),
      'release',
    ],
    ['a bundle whose proof is touched', bundle(at(`${ENTRY}.inclusionProof.hashes.3`, bit(0))), 'release'],
    ['a bundle whose root is touched', bundle(at(`${ENTRY}.inclusionProof.rootHash`, bit(0))), 'release'],
    [
      'a bundle whose checkpoint is touched',
      bundle(
        at(`${ENTRY}.inclusionProof.checkpoint.envelope`, (note) =>
          note.replace('rekor.sigstore.dev -', 'rekor.sigstore.de -'),
        ),
      ),
      'release',
    ],
    [
      'a bundle without a proof of inclusion',
      bundle(rewritten((json) => delete (entryOf(json) as { inclusionProof?: unknown }).inclusionProof)),
      'release',
    ],
    [
      'a bundle without the promise of the log',
      bundle(rewritten((json) => delete (entryOf(json) as { inclusionPromise?: unknown }).inclusionPromise)),
      'release',
    ],
    [
      'a bundle in no log',
      bundle(
        rewritten((json) =>
          (
            (bundleOf(JSON.stringify(json)), (json['attestations']?.[0] as unknown as Json)['bundle'] as Json)[
              'verificationMaterial'
            ] as unknown as { tlogEntries: unknown[] }
          ).tlogEntries.splice(0),
        ),
      ),
      'release',
    ],
    [
      'a statement of another build in the envelope',
      (recording) =>
        changed(
          recording,
          release,
          at(
            `${BUNDLE}.dsseEnvelope.payload`,
            () =>
              (bundleOf(bodyOf(other(recording), /attestations\/sha/))['dsseEnvelope'] as Json)[
                'payload'
              ] as unknown as string,
          ),
        ),
      'release',
    ],
    [
      'another digest of the release',
      (recording) => changed(recording, digestOf(recording), (digest) => `1${digest.slice(1)}`),
      'release',
    ],
    // The tests change the digest's first character to 1 and to 0, so at least one differs.
    [
      'another digest of the release that begins with 0',
      (recording) => changed(recording, digestOf(recording), (digest) => `0${digest.slice(1)}`),
      'release',
    ],
    [
      'the bundle of another repository',
      (recording) =>
        changed(recording, release, () => bodyOf(other(recording), /(?:router|gemma4-31b)\/attestations\/sha/)),
      'release',
    ],
  ];
}

const entryOf = (json: Json) =>
  (
    (((json['attestations']?.[0] as unknown as Json)['bundle'] as Json)['verificationMaterial'] as Json)[
      'tlogEntries'
    ] as unknown as Json[]
  )[0];
const other = ({ name }: Recording): Recording =>
  recorded.get(name === 'tinfoil-cloud-20260629' ? 'tinfoil-direct-20260629' : 'tinfoil-cloud-20260629') as Recording;
const digestOf = ({ name }: Recording) =>
  name === 'tinfoil-cloud-20260629' ? /router\/releases\/download/ : /gemma4-31b\/releases\/download/;

const report = (index: number, mask?: number) => (recording: Recording) =>
  changed(recording, DOCUMENT, at(REPORT, bit(index, mask)));
const vcek = (index: number) => (recording: Recording) =>
  changed(recording, /vcek\/v1\/\w+\/[0-9a-f]{32}/, byte(index));
const chain = (index: number) => (recording: Recording) => changed(recording, /cert_chain/, byte(index));

const SEV_SNP: Mutation[] = [
  ...common(/router\/attestations\/sha/),
  ['a bit of its version changed', report(0, 0x10), 'quote-format'],
  ['debug allowed', report(0x0a, 0x08), 'debug-off'],
  ['a migration agent allowed', report(0x0a, 0x04), 'migration-off'],
  ['privilege level 1', report(0x30), 'privilege-level'],
  ['another key that signed', report(0x48, 0x1c), 'certificate-chain'],
  ['a bit of the report data changed', report(0x50), 'signing-key'],
  ['a bit of the zeros after it changed', report(0x8f), 'signing-key'],
  ['a bit of the measurement changed', report(0x90), 'release'],
  ['a bit of the host data changed', report(0xc0), 'quote-signature'],
  ['a bit of the reported level changed', report(0x186), 'tcb-status'],
  ['a bit of the model changed', report(0x189, 0x10), 'certificate-chain'],
  ['a bit of the id of the chip changed', report(0x1a0), 'certificate-chain'],
  ['a bit of the committed level changed', report(0x1e6), 'tcb-status'],
  ['a bit of r changed', report(0x2a0), 'quote-signature'],
  ['a bit of s changed', report(0x2e8), 'quote-signature'],
  ['a bit after the signature set', report(-1), 'quote-format'],
  [
    'a byte too many',
    (recording) =>
      changed(
        recording,
        DOCUMENT,
        at(REPORT, (value) => Buffer.concat([Buffer.from(value, 'base64'), Buffer.of(0)]).toString('base64')),
      ),
    'quote-format',
  ],
  [
    'the quote of a trust domain',
    (recording) =>
      changed(
        recording,
        DOCUMENT,
        at(
          REPORT,
          () =>
            ((JSON.parse(bodyOf(other(recording), DOCUMENT)) as Json)['cpu'] as Json)['report'] as unknown as string,
        ),
      ),
    'quote-format',
  ],
  ['a certificate of the chip whose key is touched', vcek(400), 'certificate-chain'],
  ['a certificate of the chip whose signature is touched', vcek(-1), 'certificate-chain'],
  [
    'a certificate of the chip that is cut off',
    (recording) => changed(recording, /vcek\/v1\/\w+\/[0-9a-f]{32}/, (body) => body.slice(0, -5)),
    'certificate-chain',
  ],
  ['a signing key that is touched', chain(1_000), 'certificate-chain'],
  ['a root that is touched', chain(-200), 'certificate-chain'],
  [
    'GPU evidence that nothing binds',
    (recording) =>
      changed(recording, DOCUMENT, (body) =>
        body.replace(
          '"certificate":',
          () =>
            `"gpu":${JSON.stringify((JSON.parse(bodyOf(other(recording), DOCUMENT)) as Json)['gpu'])},"certificate":`,
        ),
      ),
    'gpu-evidence',
  ],
  [
    'a certificate of the chip that has expired',
    (recording) => recording,
    'certificate-validity',
    { atMs: Date.UTC(2026, 5, 29) + 8 * YEAR_MS },
  ],
  [
    'a certificate of the chip that is not valid yet',
    (recording) => recording,
    'certificate-validity',
    { atMs: Date.UTC(2026, 5, 27) },
  ],
];

const gpu = (change: (body: string) => string) => (recording: Recording) => changed(recording, DOCUMENT, change);
const foreignGpu = () =>
  (
    JSON.parse(
      (JSON.parse(bodyOf(recorded.get('venice-20260424') as Recording, /attestation/)) as { nvidia_payload: string })
        .nvidia_payload,
    ) as { evidence_list: { certificate: string; evidence: string }[] }
  ).evidence_list[0] as { certificate: string; evidence: string };

const TDX: Mutation[] = [
  ...common(/gemma4-31b\/attestations\/sha/),
  ['a bit of its version changed', report(0, 0x10), 'quote-format'],
  ['debug allowed', report(48 + 120), 'debug-off'],
  ['a bit of MRTD changed', report(48 + 136), 'release'],
  ['a bit of RTMR0 changed', report(48 + 328), 'release'],
  ['a bit of RTMR1 changed', report(48 + 376), 'release'],
  ['a bit of RTMR2 changed', report(48 + 424), 'release'],
  ['a bit of RTMR3 set', report(48 + 472), 'release'],
  ['a bit of the report data changed', report(568), 'signing-key'],
  ['a bit of the zeros after it changed', report(631), 'signing-key'],
  ['a bit of its signature changed', report(640), 'quote-signature'],
  [
    'the report of an SNP guest',
    (recording) =>
      changed(
        recording,
        DOCUMENT,
        at(
          REPORT,
          () =>
            ((JSON.parse(bodyOf(other(recording), DOCUMENT)) as Json)['cpu'] as Json)['report'] as unknown as string,
        ),
      ),
    'quote-format',
  ],
  ['GPU evidence with a bit changed', gpu(at('gpu.evidences.0.evidence', bit(200))), 'gpu-evidence'],
  ['a GPU certificate with a bit changed', gpu(at('gpu.evidences.0.certificate', bit(300))), 'gpu-evidence'],
  [
    'GPU evidence of another machine',
    gpu((body) =>
      at(
        'gpu.evidences.0.certificate',
        () => foreignGpu().certificate,
      )(at('gpu.evidences.0.evidence', () => foreignGpu().evidence)(body)),
    ),
    'gpu-evidence',
  ],
  ['white space in the GPU evidence', gpu((body) => body.replace('"evidences":', '"evidences": ')), 'gpu-evidence'],
  ['no GPU evidence', gpu((body) => body.replace(/"gpu":\{.*?\]\},/, '')), 'gpu-evidence'],
  [
    'neither GPU evidence nor its hash',
    gpu((body) => body.replace(/"gpu":\{.*?\]\},/, '').replace(/,"gpu_evidence_hash":"[0-9a-f]+"/, '')),
    'signing-key',
  ],
  ['another hash of the GPU evidence', gpu(at('report_data.gpu_evidence_hash', hexDigit)), 'signing-key'],
  [
    'a hash of switches that are not there',
    gpu((body) =>
      body.replace('"gpu_evidence_hash"', `"nvswitch_evidence_hash":"${'ab'.repeat(32)}","gpu_evidence_hash"`),
    ),
    'gpu-evidence',
  ],
  [
    'a verdict of NVIDIA that is touched',
    (recording) =>
      changed(recording, /v3\/attest\/gpu/, (body) =>
        body.replace(/\.(\w)(\w{20})/, (_, first: string, rest: string) => `.${first === 'e' ? 'f' : 'e'}${rest}`),
      ),
    'gpu',
  ],
  [
    'a TCB info that is touched',
    (recording) => changed(recording, /v4\/tcb/, (body) => body.replace('"tcbType":0', '"tcbType":1')),
    'tcb-info',
  ],
  [
    'a QE identity that is touched',
    (recording) => changed(recording, /qe\/identity/, (body) => body.replace('"isvprodid":2', '"isvprodid":3')),
    'qe-identity',
  ],
  ['a list of processors that is touched', (recording) => changed(recording, /pckcrl/, byte(-1)), 'revocation'],
  ['a list of the root that is touched', (recording) => changed(recording, /IntelSGXRootCA/i, byte(-1)), 'revocation'],
  [
    'the bundle of the hardware touched',
    (recording) =>
      changed(recording, /hardware-measurements\/attestations/, at(`${BUNDLE}.dsseEnvelope.payload`, bit(300))),
    'release',
  ],
  [
    'the bundle of the hardware without inclusion',
    (recording) =>
      changed(
        recording,
        /hardware-measurements\/attestations/,
        rewritten((json) => delete (entryOf(json) as { inclusionProof?: unknown }).inclusionProof),
      ),
    'release',
  ],
  [
    'another digest of the hardware',
    (recording) => changed(recording, /hardware-measurements\/releases\/download/, hexDigit),
    'release',
  ],
  ['collateral that has expired', (recording) => recording, 'tcb-info', { atMs: Date.UTC(2026, 5, 29) + 40 * DAY_MS }],
];

const failedIn = (checks: readonly { id: string; outcome: string }[]) =>
  checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);

if (recorded.size > 0) {
  describe.each<[string, string, Mutation[], string]>([
    ['tinfoil-cloud-20260629', 'router', SEV_SNP, 'https://github.com/tinfoilsh/confidential-model-router'],
    ['tinfoil-direct-20260629', 'model', TDX, 'https://github.com/tinfoilsh/confidential-gemma4-31b'],
  ])('the recording %s', (name, role, mutations, repository) => {
    const recording = recorded.get(name) as Recording;

    it('is of genuine hardware that runs what a public workflow built, and is verified by pins that were taken from it', async () => {
      const found = await verifyRecording(recording);
      expect({
        family: found.family,
        verdict: found.verdict,
        roles: found.enclaves.map((enclave) => enclave.role),
        failed: found.enclaves.flatMap(({ checks }) => failedIn(checks)),
      }).toEqual({ family: 'tinfoil', verdict: 'unknown-workload', roles: [role], failed: [] });
      expect(found.enclaves[0]?.checks.find(({ id }) => id === 'release')).toMatchObject({
        outcome: 'passed',
        evidence: {
          repository,
          workflow: expect.stringContaining('.github/workflows/tinfoil-release-publish.yml@refs/tags/v0.0.1') as string,
        },
      });
      expect(found.enclaves[0]?.keys.map(({ algorithm }) => algorithm)).toEqual(['x25519-hpke', 'tls-spki-sha256']);
      expect((await verifyRecording(recording, { policy: { pinnedWorkloads: pinsFor(found) } })).verdict).toBe(
        'verified',
      );
    });

    it('is not verified by a pin that differs in any measurement, or lacks one', async () => {
      const [pin] = pinsFor(await verifyRecording(recording));
      for (const field of Object.keys(pin ?? {}).filter((each) => each !== 'name')) {
        const value = (pin as unknown as Record<string, string>)[field] as string;
        for (const altered of [undefined, hexDigit(value)])
          expect(
            (
              await verifyRecording(recording, {
                policy: { pinnedWorkloads: [{ ...pin, name: 'altered', [field]: altered }] },
              })
            ).verdict,
          ).toBe('unknown-workload');
      }
    });

    it.each(mutations)('with %s is refused', async (_, change, id, request) => {
      const verdict = await verifyRecording(change(recording), request);
      expect(verdict.verdict).toBe('failed');
      expect(verdict.enclaves.flatMap(({ checks }) => failedIn(checks))).toContain(id);
      expect(verdict.enclaves.flatMap(({ keys }) => keys)).toEqual([]);
    });

    it('is tried with at least thirty changes', () => {
      expect(mutations.length).toBeGreaterThanOrEqual(30);
    });
  });

  it('without the certificate of its chip a report is not checkable, and no key comes of it', async () => {
    const recording = recorded.get('tinfoil-cloud-20260629') as Recording;
    const verdict = await verifyRecording(changed(recording, /vcek\/v1\/\w+\/[0-9a-f]{32}/, () => null));
    expect({ verdict: verdict.verdict, keys: verdict.enclaves.flatMap(({ keys }) => keys) }).toEqual({
      verdict: 'not-checkable',
      keys: [],
    });
  });

  it('without its bundles a report holds as far as it goes, and names no builder', async () => {
    const recording = recorded.get('tinfoil-cloud-20260629') as Recording;
    const verdict = await verifyRecording(changed(recording, /attestations\/sha/, () => null));
    expect(verdict.verdict).toBe('unknown-workload');
    expect(verdict.enclaves[0]?.checks.find(({ id }) => id === 'release')?.outcome).toBe('not-checkable');
  });
}

it('is tested against whenever a folder of recorded reports is named', () => {
  expect(recorded.size > 0).toBe(Boolean(process.env['ATTESTATION_SAMPLES']));
});
