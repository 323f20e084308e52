import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../testing/seeded-random';
import { type AttestationReport, readAttestationReport } from '../attestation-report';
import { CheckList } from '../check-list';
import { Malformed } from '../malformed';
import type { Certificate } from '../x509/certificate';
import { checkGpuEvidence, readSpdmMeasurements } from './gpu-evidence';
import { NVIDIA_DEVICE_ROOT } from '../trusted-roots';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 10, 1);

interface Recorded {
  nonce: string;
  arch: string;
  certificate: string;
  evidence: string;
}

async function check(payload: unknown, nonce: string | null, roots: readonly Certificate[] = [NVIDIA_DEVICE_ROOT]) {
  const report: AttestationReport = readAttestationReport({ nvidia_payload: payload });
  const list = new CheckList();
  await list.make('gpu-evidence', 'GPU', () => checkGpuEvidence(report, nonce, roots, nowMs));
  return list.checks[0];
}

/** Builds the bytes that a GPU signs, by the SPDM specification. */
function spdm(nonce: Buffer, key: KeyObject, change: { measurements?: Buffer; opaque?: Buffer } = {}): Buffer {
  const record = change.measurements ?? Buffer.from('010102000aff', 'hex');
  const opaque = change.opaque ?? Buffer.from('03000700', 'hex');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(record.length);
  const opaqueLength = Buffer.alloc(2);
  const content = Buffer.concat([opaque, Buffer.from('590.12\0')]);
  opaqueLength.writeUInt16LE(content.length);
  const signed = Buffer.concat([
    Buffer.from('11e001ff', 'hex'),
    nonce,
    Buffer.of(0),
    Buffer.from('11600000', 'hex'),
    Buffer.of(1),
    length.subarray(0, 3),
    record,
    Buffer.alloc(32, 7),
    opaqueLength,
    content,
  ]);
  return Buffer.concat([signed, sign('sha384', signed, { key, dsaEncoding: 'ieee-p1363' })]);
}

describe('what a GPU signs', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const nonce = Buffer.alloc(32, 5);

  it('is read field by field', () => {
    const bytes = spdm(nonce, privateKey);
    expect(readSpdmMeasurements(bytes)).toMatchObject({ measurements: 1, driver: '590.12', requestNonce: nonce });
  });

  it('is refused cut at any length, with a byte more, and with counts that do not fit', () => {
    const bytes = spdm(nonce, privateKey);
    for (let length = 0; length < bytes.length; length++)
      expect(() => readSpdmMeasurements(bytes.subarray(0, length))).toThrow(Malformed);
    expect(() => readSpdmMeasurements(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(Malformed);
    for (const measurements of [
      Buffer.from('010103000aff', 'hex'),
      Buffer.from('010101000aff', 'hex'),
      Buffer.alloc(0),
    ])
      expect(() => readSpdmMeasurements(spdm(nonce, privateKey, { measurements }))).toThrow(Malformed);
    expect(() => readSpdmMeasurements(spdm(nonce, privateKey, { opaque: Buffer.from('0300ff00', 'hex') }))).toThrow(
      Malformed,
    );
  });

  it('is refused of another version, message, and without a signature asked for', () => {
    for (const [index, value] of [
      [0, 0x12],
      [1, 0xe1],
      [2, 0],
      [37, 0x10],
      [38, 0x61],
    ] as const) {
      const bytes = spdm(nonce, privateKey);
      bytes[index] = value;
      expect(() => readSpdmMeasurements(bytes), `byte ${index}`).toThrow(Malformed);
    }
  });
});

const folder = process.env['ATTESTATION_SAMPLES'];
if (folder) {
  const [recorded] = JSON.parse(fs.readFileSync(path.join(folder, 'nvidia', 'hopper_evidence.json'), 'utf8')) as [
    Recorded,
  ];
  const { nonce, arch, certificate, evidence } = recorded;
  const payload = (change: Partial<Recorded> = {}, more: object[] = []) => {
    const gpu = { certificate, evidence, ...change };
    return JSON.stringify({
      nonce,
      arch: change.arch ?? arch,
      evidence_list: [{ certificate: gpu.certificate, evidence: gpu.evidence }, ...more],
    });
  };
  const signed = Buffer.from(evidence, 'base64');
  const pem = Buffer.from(certificate, 'base64').toString();

  describe('the evidence of a genuine GPU', () => {
    it('is signed for its nonce by a key under NVIDIA’s pinned root', async () => {
      expect(await check(payload(), nonce)).toMatchObject({
        outcome: 'passed',
        reason: null,
        evidence: {
          arch: 'HOPPER',
          gpus: 1,
          drivers: ['590.12'],
          devices: [expect.stringContaining('GH100 A01 GSP FMC LF')],
          notChecked: ['measurements against references', 'revocation'],
        },
      });
      expect(new X509Certificate(NVIDIA_DEVICE_ROOT.der).fingerprint256.replaceAll(':', '').toLowerCase()).toBe(
        '102bf659d5419614c9d8e6aecebc80454eb26b1df6a769ac720b9a690b167b48',
      );
    });

    it('fails with a flipped bit anywhere in what was signed, and in the signature', async () => {
      const random = new SeededRandom(7);
      const step = 61;
      for (let index = 0; index < signed.length; index += step) {
        const touched = Buffer.from(signed);
        touched[index] = (touched[index] as number) ^ (1 << random.integer(0, 7));
        expect((await check(payload({ evidence: touched.toString('base64') }), nonce))?.outcome, `byte ${index}`).toBe(
          'failed',
        );
      }
    });

    it('fails with a character changed anywhere in its certificates', async () => {
      const random = new SeededRandom(8);
      for (let attempt = 0; attempt < 40; attempt++) {
        const index = random.integer(0, pem.length - 1);
        const touched = pem.slice(0, index) + (pem[index] === '7' ? '8' : '7') + pem.slice(index + 1);
        expect(
          (await check(payload({ certificate: Buffer.from(touched).toString('base64') }), nonce))?.outcome,
          `character ${index}`,
        ).toBe('failed');
      }
    });

    it.each([
      ['another nonce', payload(), 'cd'.repeat(32)],
      ['no certificates', payload({ certificate: '' }), nonce],
      ['certificates in no base64', payload({ certificate: '#' }), nonce],
      ['enormous evidence', payload({ evidence: 'A'.repeat(70_000) }), nonce],
      [
        'the certificates of its issuer',
        payload({ certificate: Buffer.from(pem.slice(pem.indexOf('-----BEGIN', 10))).toString('base64') }),
        nonce,
      ],
      ['the same GPU twice', payload({}, [{ certificate, evidence }]), nonce],
      ['no GPU', JSON.stringify({ nonce, arch, evidence_list: [] }), nonce],
      ['an object instead of a list', JSON.stringify({ nonce, arch, evidence_list: {} }), nonce],
    ])('fails with %s', async (_, given, asked) => {
      expect((await check(given, asked))?.outcome).toBe('failed');
    });

    it('fails where its root is not pinned', async () => {
      expect(await check(payload(), nonce, [])).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('do not lead to'),
      });
    });

    it('is not checkable without a nonce, and of an architecture that is not known', async () => {
      expect((await check(payload(), null))?.outcome).toBe('not-checkable');
      expect(await check(payload({ arch: 'RUBIN' }), nonce)).toMatchObject({
        outcome: 'not-checkable',
        reason: expect.stringContaining('"RUBIN"'),
      });
      expect((await check(null, nonce))?.outcome).toBe('not-checkable');
    });
  });
}
