import { describe, expect, it, vi } from 'vitest';
import { verifyRelease } from '@/lib/protocol/attestation/sigstore/verify-release';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { Untrusted } from '@/lib/protocol/tee/x509/chain';
import { COMMIT, createReleaseSigner, type Release, REPOSITORY, WORKFLOW } from './signed-release';

vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 5, 29);
const HOUR_MS = 3_600_000;
const signer = createReleaseSigner(nowMs);
const stranger = createReleaseSigner(nowMs);
const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'deployment.json', digest: { sha256: 'ab'.repeat(32) } }],
  predicateType: 'https://example.com/measurements/v1',
  predicate: { snp_measurement: '09'.repeat(48) },
};
const release = (change: Partial<Release> = {}): Release => ({ statement, builtAtMs: nowMs - HOUR_MS, ...change });
const verify = (bundle: unknown, atMs = nowMs) => verifyRelease(bundle, atMs, signer.trust);

type Json = { [name: string]: Json } & Json[];

/** Returns a valid bundle with the value at one path changed. */
function changed(path: string, change: (value: string) => unknown, bundle: unknown = signer.sign(release())): unknown {
  const copy = JSON.parse(JSON.stringify(bundle)) as Json;
  const names = path.split('.');
  const last = names.pop() as string;
  const place = names.reduce<Json>((value, name) => value[name] as Json, copy);
  (place as unknown as { [name: string]: unknown })[last] = change(place[last] as unknown as string);
  return copy;
}

const flipped = (at: number) => (value: string) => {
  const bytes = Buffer.from(value, 'base64');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] as number) ^ 1;
  return bytes.toString('base64');
};
const ENTRY = 'verificationMaterial.tlogEntries.0';
const PROOF = `${ENTRY}.inclusionProof`;

describe('a release in a Sigstore bundle', () => {
  it('says from which repository, at which commit and by which workflow it was built', async () => {
    expect(await verify(signer.sign(release()))).toMatchObject({
      repository: REPOSITORY,
      commit: COMMIT,
      workflow: WORKFLOW,
      workflowPath: '.github/workflows/release.yml',
      subjectDigest: 'ab'.repeat(32),
      predicateType: statement.predicateType,
      predicate: statement.predicate,
      loggedAtMs: nowMs - HOUR_MS + 60_000,
    });
  });

  it('is read in the forms of earlier versions, whose certificate stands in a chain', async () => {
    const bundle = changed('verificationMaterial', (material) => ({
      ...(material as unknown as object),
      certificate: undefined,
      x509CertificateChain: { certificates: [(material as unknown as { certificate: unknown }).certificate] },
    }));
    for (const mediaType of [
      'application/vnd.dev.sigstore.bundle+json;version=0.1',
      'application/vnd.dev.sigstore.bundle.v0.2+json',
    ])
      expect((await verify({ ...(bundle as object), mediaType })).commit).toBe(COMMIT);
  });

  it.each<[string, Partial<Release>, string]>([
    ['of another issuer of tokens', { issuer: 'https://token.actions.example' }, 'not for a GitHub workflow'],
    ['on a machine of somebody', { runner: 'self-hosted' }, "not GitHub's"],
    [
      'by a workflow of another repository',
      { workflow: 'https://github.com/example/other/.github/workflows/release.yml@refs/tags/v1.0.0' },
      'from different repositories',
    ],
    [
      'whose subject is another workflow',
      { subject: WORKFLOW.replace('release', 'test') },
      'not the workflow that was started',
    ],
    ['of another owner than its repository', { owner: 'https://github.com/else' }, 'contradicts itself'],
    ['at another reference than its workflow', { ref: 'refs/heads/main' }, 'contradicts itself'],
    ['of no commit', { commit: 'main' }, 'contains no commit'],
    ['with a certificate for another purpose', { usage: '1.3.6.1.5.5.7.3.1' }, 'not for signing code'],
    ['signed after the certificate expired', { loggedAtMs: nowMs - HOUR_MS + 11 * 60_000 }, 'expired'],
    ['signed before the certificate was valid', { loggedAtMs: nowMs - HOUR_MS - 60_000 }, 'is not valid before'],
    ['of the future', { builtAtMs: nowMs + HOUR_MS }, 'in the future'],
    ['of another kind of payload', { payloadType: 'text/plain' }, 'no in-toto statement'],
    [
      'of another kind of statement',
      { statement: { ...statement, _type: 'https://example.com/Statement/v1' } },
      'no in-toto statement',
    ],
    [
      'about two things',
      { statement: { ...statement, subject: [statement.subject[0], statement.subject[0]] } },
      'exactly one subject',
    ],
    [
      'without a digest',
      { statement: { ...statement, subject: [{ name: 'x', digest: {} }] } },
      'subject.digest.sha256',
    ],
  ])('%s is refused', async (_, change, sentence) => {
    await expect(verify(signer.sign(release(change)))).rejects.toThrow(sentence);
  });

  it.each<[string, () => unknown, string]>([
    ['by another authority', () => stranger.sign(release()), 'log that is not trusted'],
    [
      'without any entry of a log',
      () => changed('verificationMaterial.tlogEntries', () => []),
      'tlogEntries must have one item',
    ],
    ['without a proof of inclusion', () => changed(PROOF, () => undefined), 'inclusionProof must be an object'],
    [
      'without the promise of the log',
      () => changed(`${ENTRY}.inclusionPromise`, () => undefined),
      'inclusionPromise must be an object',
    ],
    ['without a checkpoint', () => changed(`${PROOF}.checkpoint`, () => undefined), 'checkpoint must be an object'],
    [
      'with another time',
      () => changed(`${ENTRY}.integratedTime`, (time) => String(Number(time) + 1)),
      'has not signed the entry and its time',
    ],
    ['with another index', () => changed(`${ENTRY}.logIndex`, () => '1004'), 'has not signed the entry and its time'],
    [
      'with a promise that is touched',
      () => changed(`${ENTRY}.inclusionPromise.signedEntryTimestamp`, flipped(-1)),
      'has not signed the entry and its time',
    ],
    [
      'with an entry that is touched',
      () => changed(`${ENTRY}.canonicalizedBody`, flipped(40)),
      'has not signed the entry and its time',
    ],
    ['of another log', () => changed(`${ENTRY}.logId.keyId`, flipped(0)), 'log that is not trusted'],
    ['of another kind of entry', () => changed(`${ENTRY}.kindVersion.kind`, () => 'hashedrekord'), 'unknown type'],
    ['with a hash of the proof touched', () => changed(`${PROOF}.hashes.0`, flipped(5)), 'not in the tree'],
    [
      'with a hash of the proof left out',
      () => changed(`${PROOF}.hashes`, (hashes) => hashes.slice(1)),
      'wrong length',
    ],
    [
      'with a hash of the proof too many',
      () => changed(`${PROOF}.hashes`, (hashes) => [...hashes, hashes[0]]),
      'wrong length',
    ],
    ['with another place in the tree', () => changed(`${PROOF}.logIndex`, () => '2'), 'not in the tree'],
    ['with a place beyond the tree', () => changed(`${PROOF}.logIndex`, () => '7'), 'beyond the end of the log'],
    ['with another root', () => changed(`${PROOF}.rootHash`, flipped(0)), 'not in the tree'],
    ['with another size of the tree', () => changed(`${PROOF}.treeSize`, () => '8'), 'different trees'],
    [
      'with a checkpoint of another tree',
      () => changed(`${PROOF}.checkpoint.envelope`, (note) => note.replace('\n7\n', '\n8\n')),
      'different trees',
    ],
    [
      'with a checkpoint of another origin',
      () => changed(`${PROOF}.checkpoint.envelope`, (note) => note.replace('log.example - 1', 'log.example - 2')),
      'not signed its checkpoint',
    ],
    [
      'with a checkpoint signed under another name',
      () => changed(`${PROOF}.checkpoint.envelope`, (note) => note.replace('\u2014 log.example', '\u2014 log.exemple')),
      'not signed its checkpoint',
    ],
    [
      'with a checkpoint that nobody signed',
      () => changed(`${PROOF}.checkpoint.envelope`, (note) => note.slice(0, note.indexOf('\n\n') + 2)),
      'not signed its checkpoint',
    ],
    [
      'with the signature of the statement touched',
      () => changed('dsseEnvelope.signatures.0.sig', flipped(-1)),
      'signature of the statement is not valid',
    ],
    [
      'with the statement touched',
      () => changed('dsseEnvelope.payload', flipped(30)),
      'signature of the statement is not valid',
    ],
    [
      'with another type of payload',
      () => changed('dsseEnvelope.payloadType', () => 'application/json'),
      'signature of the statement is not valid',
    ],
    [
      'with two signatures',
      () => changed('dsseEnvelope.signatures', (signatures) => [...signatures, signatures[0]]),
      'must have one item',
    ],
    ['with the certificate touched', () => changed('verificationMaterial.certificate.rawBytes', flipped(-1)), ''],
    [
      'with the envelope of another release',
      () =>
        changed(
          'dsseEnvelope',
          () => signer.sign(release({ statement: { ...statement, predicate: {} } }))['dsseEnvelope'],
        ),
      'is not valid',
    ],
    [
      'with the entry of another release',
      () =>
        changed(
          ENTRY,
          () => ((signer.sign(release())['verificationMaterial'] as Json)['tlogEntries'] as unknown as unknown[])[0],
        ),
      'for another',
    ],
    [
      'of another version',
      () => changed('mediaType', () => 'application/vnd.dev.sigstore.bundle.v0.9+json'),
      'unknown version',
    ],
    ['that is no object', () => 'bundle', 'must be an object'],
    ['whose certificate is no base64', () => changed('verificationMaterial.certificate.rawBytes', () => '*'), 'base64'],
  ])('%s is refused', async (_, make, sentence) => {
    const refused = await verify(make()).then(
      () => null,
      (fault: unknown) => fault,
    );
    expect(refused instanceof Malformed || refused instanceof Untrusted).toBe(true);
    expect((refused as Error).message).toContain(sentence);
  });

  it('whose certificate is in no trusted log of certificates is refused', async () => {
    const bundle = signer.sign(release());
    await expect(
      verifyRelease(bundle, nowMs, { ...signer.trust, certificateLogs: stranger.trust.certificateLogs }),
    ).rejects.toThrow('No trusted certificate transparency log');
    await expect(
      verifyRelease(bundle, nowMs, { ...signer.trust, authorities: stranger.trust.authorities }),
    ).rejects.toThrow('is not signed by');
  });

  it('under the roots of Sigstore itself a release of the sandbox counts for nothing', async () => {
    await expect(verifyRelease(signer.sign(release()), nowMs)).rejects.toThrow('log that is not trusted');
  });
});
