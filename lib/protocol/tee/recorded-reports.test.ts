import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_POLICY } from './policy';
import { recordedExchange } from './testing/recorded-samples';
import { verifyAttestation } from './verify-attestation';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const venice = recordedExchange('venice-20260424');
const near = recordedExchange('neardirect-20260610');

type Recorded = NonNullable<typeof venice>;

async function verify({ report, nonce, nowMs }: Recorded, change: object = {}, atMs = nowMs) {
  const verdict = await verifyAttestation({
    report: { ...report, ...change },
    expected: { nonce, model: null, needsPublicKey: false },
    policy: DEFAULT_POLICY,
    nowMs: atMs,
  });
  return { ...verdict, check: (id: string) => verdict.checks.find((each) => each.id === id) };
}

/** Changes the certificates of the third GPU in a report. */
function withCertificates({ report }: Recorded, change: (pem: Buffer) => Buffer): { nvidia_payload: string } {
  const payload = JSON.parse(report['nvidia_payload'] as string) as { evidence_list: { certificate: string }[] };
  const evidence = payload.evidence_list.map((gpu, index) =>
    index === 2 ? { ...gpu, certificate: change(Buffer.from(gpu.certificate, 'base64')).toString('base64') } : gpu,
  );
  return { nvidia_payload: JSON.stringify({ ...payload, evidence_list: evidence }) };
}

if (venice && near) {
  describe('a genuine report with eight GPUs', () => {
    it('is of genuine hardware with an unknown workload at the time of its recording, its GPUs and NVIDIA’s word included', async () => {
      const { conclusion, checks, key, check } = await verify(venice);
      expect({ conclusion, failed: checks.filter(({ outcome }) => outcome === 'failed') }).toEqual({
        conclusion: 'unknown-workload',
        failed: [],
      });
      expect(key?.address).toBe('0x6525e128afcffebf7eed05d485d7be983cdae934');
      expect(check('gpu-evidence')).toMatchObject({ outcome: 'passed', evidence: { arch: 'HOPPER', gpus: 8 } });
      expect(check('gpu')).toMatchObject({ outcome: 'passed', evidence: { gpus: 8, result: true, models: ['GH100'] } });
    });

    it('is verified by all of its measurements, and by its compose file or its firmware alone it is not', async () => {
      const { mrTd, rtMr0, rtMr1, rtMr2, composeHash } = (await verify(venice)).measurements as Readonly<
        Record<'mrTd' | 'rtMr0' | 'rtMr1' | 'rtMr2' | 'composeHash', string>
      >;
      const under = (pin: object) =>
        verifyAttestation({
          report: venice.report,
          expected: { nonce: venice.nonce, model: null, needsPublicKey: true },
          policy: { ...DEFAULT_POLICY, pinnedWorkloads: [{ name: 'venice', ...pin }] },
          nowMs: venice.nowMs,
        });
      expect(await under({ mrTd, rtMr0, rtMr1, rtMr2, composeHash })).toMatchObject({
        conclusion: 'verified',
        workload: 'venice',
      });
      for (const pin of [{ composeHash }, { mrTd }, { mrTd, composeHash }, { mrTd, rtMr0, rtMr1, rtMr2 }])
        expect(await under(pin)).toMatchObject({
          conclusion: 'unknown-workload',
          reason: expect.stringContaining('“venice” matches, but does not identify the workload') as unknown,
        });
    });

    it('passes with the NUL bytes that its devices emit after each chain of certificates', async () => {
      const padding = (
        JSON.parse(near.report['nvidia_payload'] as string) as { evidence_list: { certificate: string }[] }
      ).evidence_list.map(({ certificate }) => Buffer.from(certificate, 'base64').filter((byte) => byte === 0).length);
      expect(padding).toEqual(Array(8).fill(5));
      const { check, checks } = await verify(near);
      expect(check('gpu-evidence')).toMatchObject({ outcome: 'passed', reason: null, evidence: { gpus: 8 } });
      expect(check('gpu')).toMatchObject({ outcome: 'passed', evidence: { gpus: 8, result: true } });
      // The report's key is Ed25519, which this form of report does not support.
      expect(checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual(['signing-key']);
    });

    it.each<[string, (pem: Buffer) => Buffer]>([
      ['text after the padding', (pem) => Buffer.concat([pem, Buffer.from('\0text')])],
      ['white space after the padding', (pem) => Buffer.concat([pem, Buffer.from('\0\n')])],
      ['an empty line after the chain', (pem) => Buffer.concat([pem, Buffer.from('\n')])],
      [
        'NUL bytes between two certificates',
        (pem) => Buffer.from(pem.toString('latin1').replace('-----\n-----BEGIN', '-----\n\0\0-----BEGIN'), 'latin1'),
      ],
      ['NUL bytes before the chain', (pem) => Buffer.concat([Buffer.alloc(5), pem])],
      ['a byte order mark before the chain', (pem) => Buffer.concat([Buffer.from('efbbbf', 'hex'), pem])],
      [
        'a certificate more, after the padding',
        (pem) => Buffer.concat([pem, Buffer.alloc(5), pem.subarray(0, pem.indexOf('-----BEGIN', 10))]),
      ],
      ['0xff as padding', (pem) => Buffer.concat([pem, Buffer.alloc(5, 0xff)])],
    ])('fails with %s', async (_, change) => {
      for (const recorded of [venice, near])
        expect((await verify(recorded, withCertificates(recorded, change))).check('gpu-evidence')?.outcome).toBe(
          'failed',
        );
    });

    it('passes with other amounts of NUL bytes, since none of them is signed or read', async () => {
      for (const count of [0, 1, 64, 1_000])
        expect(
          (
            await verify(
              venice,
              withCertificates(venice, (pem) => Buffer.concat([pem, Buffer.alloc(count)])),
            )
          ).check('gpu-evidence')?.outcome,
        ).toBe('passed');
    });

    it('fails a month later, and the day before', async () => {
      expect((await verify(venice, {}, venice.nowMs + 31 * 86_400_000)).conclusion).toBe('failed');
      expect((await verify(venice, {}, venice.nowMs - 86_400_000)).conclusion).toBe('failed');
    });

    it('fails with the evidence of seven, whatever NVIDIA said of eight', async () => {
      const payload = JSON.parse(venice.report['nvidia_payload'] as string) as { evidence_list: unknown[] };
      expect(
        (
          await verify(venice, {
            nvidia_payload: JSON.stringify({ ...payload, evidence_list: payload.evidence_list.slice(1) }),
          })
        ).check('gpu')?.outcome,
      ).toBe('failed');
    });
  });
}

it('is tested against whenever a folder of recorded reports is named', () => {
  expect(venice !== null && near !== null).toBe(Boolean(process.env['ATTESTATION_SAMPLES']));
});
