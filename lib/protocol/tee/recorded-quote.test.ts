import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { type Check, CheckList } from './check-list';
import { readCollateral } from './hardware/collateral';
import { verifyHardware } from './hardware/verify-hardware';
import { DEFAULT_POLICY } from './policy';
import { Malformed } from './malformed';
import { parseQuote, quoteFromText, quoteToText, type TdxQuote } from './quote/quote';
import { recordedSample } from './testing/recorded-samples';
import { verifyAttestation } from './verify-attestation';
import { type Certificate, parseCertificate } from './x509/certificate';
import { Untrusted, verifyChain } from './x509/chain';
import { isSignedBy } from './x509/signature-algorithm';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const sample = recordedSample();

if (sample) {
  const { nowMs } = sample;
  const check = async (
    change: { quote?: Uint8Array; collateral?: Record<string, unknown>; nowMs?: number } = {},
  ): Promise<Check[]> => {
    const list = new CheckList();
    const given = { ...sample, ...change };
    await verifyHardware(
      {
        quoteBytes: () => given.quote,
        collateral: () => readCollateral(given.collateral),
        policy: DEFAULT_POLICY,
        nowMs: given.nowMs,
      },
      list,
    );
    return list.checks;
  };
  const failed = (checks: readonly Check[]) => checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const flipped = (bytes: Uint8Array, index: number, bit: number) => {
    const copy = bytes.slice();
    copy[index] = (copy[index] as number) ^ (1 << bit);
    return copy;
  };

  describe('a genuine quote with its collateral', () => {
    it('passes every check of the hardware inside its window', async () => {
      expect((await check()).map(({ outcome }) => outcome)).toEqual(Array(11).fill('passed'));
      const evidence = async (id: string) => (await check()).find((each) => each.id === id)?.evidence;
      expect(await evidence('certificate-chain')).toMatchObject({
        fmspc: 'B0C06F000000',
        simulated: false,
        root: expect.stringContaining('Intel SGX Root CA'),
      });
      expect(await evidence('tcb-status')).toMatchObject({ status: 'UpToDate', advisories: [] });
      expect(await evidence('tdx-module')).toMatchObject({ module: 'TDX_01' });
    });

    it('passes on the first and the last day of its window, and on no other', async () => {
      const [first, last] = [Date.parse('2025-06-19T10:32:27Z'), Date.parse('2025-07-19T09:00:00Z')];
      expect(failed(await check({ nowMs: first }))).toEqual([]);
      expect(failed(await check({ nowMs: last }))).toEqual([]);
      expect(failed(await check({ nowMs: first - 1_000 }))).toEqual(['qe-identity']);
      expect(failed(await check({ nowMs: last + 2 * 86_400_000 }))).toEqual(
        expect.arrayContaining(['tcb-info', 'qe-identity', 'revocation']),
      );
      expect(failed(await check({ nowMs: Date.UTC(2018, 0, 1) }))).toEqual(
        expect.arrayContaining(['certificate-validity', 'revocation', 'tcb-info', 'qe-identity']),
      );
      expect(failed(await check({ nowMs: Date.UTC(2032, 2, 1) }))).toContain('certificate-validity');
    });

    it('is read from hex and base64 alike', () => {
      for (const text of [
        bytesToHex(sample.quote),
        `0x${bytesToHex(sample.quote)}`,
        bytesToHex(sample.quote).toUpperCase(),
        quoteToText(sample.quote),
      ])
        expect(quoteFromText(text)).toEqual(sample.quote);
    });

    it('does not speak for a nonce that it does not hold', async () => {
      const report = {
        intel_quote: quoteToText(sample.quote),
        collateral: sample.collateral,
        nonce: 'ab'.repeat(32),
        signing_address: `0x${'cd'.repeat(20)}`,
      };
      const verdict = await verifyAttestation({
        report,
        expected: { nonce: 'ab'.repeat(32), model: null, needsPublicKey: false },
        policy: DEFAULT_POLICY,
        nowMs,
      });
      expect(verdict).toMatchObject({ conclusion: 'failed', key: null });
    });

    it('proves nothing without its collateral', async () => {
      const report = { intel_quote: quoteToText(sample.quote), nonce: 'ab'.repeat(32) };
      const { checks } = await verifyAttestation({
        report,
        expected: { nonce: null, model: null, needsPublicKey: false },
        policy: DEFAULT_POLICY,
        nowMs,
      });
      expect(checks.find(({ id }) => id === 'revocation')).toMatchObject({
        outcome: 'not-checkable',
        reason: expect.stringContaining('is missing'),
      });
    });
  });

  describe('a genuine quote that was touched', () => {
    const regions: [string, number, number][] = [
      ['header', 0, 48],
      ['body', 48, 632],
      ['length', 632, 636],
      ['signature', 636, 700],
      ['attestation key', 700, 764],
      ['outer certification data', 764, 770],
      ['report of the quoting enclave', 770, 1154],
      ['signature of that report', 1154, 1218],
      ['auth data', 1218, 1252],
      ['inner certification data', 1252, 1258],
      ['certificate chain', 1258, 4936],
      ['padding', 4936, sample.quote.length],
    ];

    it.each(regions)('fails with a flipped bit in its %s', async (_, start, end) => {
      const random = new SeededRandom(start);
      const indexes =
        end - start <= 8
          ? Array.from({ length: end - start }, (_each, index) => start + index)
          : Array.from({ length: 10 }, () => random.integer(start, end - 1));
      for (const index of indexes)
        expect(
          failed(await check({ quote: flipped(sample.quote, index, random.integer(0, 7)) })),
          `byte ${index}`,
        ).not.toEqual([]);
    });

    it(
      'is signed in every byte of header, body, report of the quoting enclave, and processor certificate',
      { timeout: 300_000 },
      async () => {
        const random = new SeededRandom(5);
        const isPassed = async (
          index: number,
          isSigned: (quote: ReturnType<typeof parseQuote>) => Promise<boolean>,
        ) => {
          try {
            return await isSigned(parseQuote(flipped(sample.quote, index, random.integer(0, 7))));
          } catch (error) {
            return !(error instanceof Malformed);
          }
        };
        const byQuote = ({ attestationKey, signedBytes, signature }: TdxQuote) =>
          isSignedBy(
            { curve: 'P-256', point: Uint8Array.from([4, ...attestationKey]) },
            'ecdsa-sha256',
            signedBytes,
            signature,
            'compact',
          );
        const byProcessor = ({ pckChain, qeReport, qeReportSignature }: TdxQuote) =>
          isSignedBy(
            (pckChain[0] as Certificate).publicKey,
            'ecdsa-sha256',
            qeReport.signedBytes,
            qeReportSignature,
            'compact',
          );
        expect([await byQuote(parseQuote(sample.quote)), await byProcessor(parseQuote(sample.quote))]).toEqual([
          true,
          true,
        ]);
        for (let index = 0; index < 632; index++) expect(await isPassed(index, byQuote), `byte ${index}`).toBe(false);
        for (let index = 770; index < 1_154; index++)
          expect(await isPassed(index, byProcessor), `byte ${index}`).toBe(false);
        const { pckChain } = parseQuote(sample.quote);
        const [processor, authority] = pckChain as [Certificate, Certificate];
        for (let index = 0; index < processor.der.length; index++) {
          const isBelieved = async () => {
            try {
              return (
                (await verifyChain([parseCertificate(flipped(processor.der, index, random.integer(0, 7)))], authority))
                  .length > 0
              );
            } catch (error) {
              return !(error instanceof Malformed || error instanceof Untrusted);
            }
          };
          expect(await isBelieved(), `byte ${index} of the certificate`).toBe(false);
        }
      },
    );

    it('fails cut at any length, unless only padding was cut', async () => {
      for (let length = 0; length < 4936; length += 97)
        expect(failed(await check({ quote: sample.quote.slice(0, length) }))).toEqual(['quote-format']);
      expect(failed(await check({ quote: sample.quote.slice(0, 4936) }))).toEqual([]);
    });

    it('fails with anything but zeros after its end', async () => {
      expect(failed(await check({ quote: Uint8Array.from([...sample.quote, 0, 0, 0]) }))).toEqual([]);
      expect(failed(await check({ quote: Uint8Array.from([...sample.quote, 0, 1]) }))).toEqual(['quote-format']);
    });

    it('fails with its debug bit set, since that is signed', async () => {
      const checks = await check({ quote: flipped(sample.quote, 168, 0) });
      expect(failed(checks)).toEqual(['quote-signature', 'debug-off']);
    });
  });

  describe('collateral that was touched', () => {
    it.each(Object.keys(sample.collateral))('fails with a changed character in %s', async (field) => {
      const random = new SeededRandom(field.length);
      const text = sample.collateral[field] as string;
      for (let attempt = 0; attempt < 5; attempt++) {
        const index = random.integer(0, text.length - 1);
        // The value of hex does not depend on case, so the test changes a digit.
        const other = text[index] === '7' ? '8' : '7';
        const collateral = { ...sample.collateral, [field]: text.slice(0, index) + other + text.slice(index + 1) };
        expect(failed(await check({ collateral })), `character ${index}`).not.toEqual([]);
      }
    });

    it.each(Object.keys(sample.collateral))('fails with %s cut, empty, missing or of another type', async (field) => {
      const text = sample.collateral[field] as string;
      for (const value of [text.slice(0, -2), '', undefined, [1, 2, 300]]) {
        expect(failed(await check({ collateral: { ...sample.collateral, [field]: value } }))).not.toEqual([]);
      }
    });

    it('fails with chains or lists exchanged', async () => {
      const { root_ca_crl, pck_crl, tcb_info_issuer_chain, pck_crl_issuer_chain, qe_identity_signature } =
        sample.collateral;
      const exchanges = [
        { root_ca_crl: pck_crl },
        { pck_crl: root_ca_crl },
        { tcb_info_issuer_chain: pck_crl_issuer_chain },
        { pck_crl_issuer_chain: tcb_info_issuer_chain },
        { tcb_info_signature: qe_identity_signature },
      ];
      for (const exchange of exchanges)
        expect(failed(await check({ collateral: { ...sample.collateral, ...exchange } }))).not.toEqual([]);
    });

    it('fails with a list whose signature is zeros', async () => {
      for (const field of ['root_ca_crl', 'pck_crl']) {
        const list = sample.collateral[field] as string;
        expect(
          failed(await check({ collateral: { ...sample.collateral, [field]: list.slice(0, -64) + '0'.repeat(64) } })),
        ).toEqual(['revocation']);
      }
    });

    it('takes byte strings as arrays of numbers, as some services give them', async () => {
      const collateral = {
        ...sample.collateral,
        pck_crl: [...Buffer.from(sample.collateral['pck_crl'] as string, 'hex')],
      };
      expect(failed(await check({ collateral }))).toEqual([]);
    });
  });

  it('is verified often enough to say what that costs', async () => {
    await check();
    const rounds = 10;
    const [started, before] = [performance.now(), process.cpuUsage()];
    for (let round = 0; round < rounds; round++) expect(failed(await check())).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    console.log(
      `A quote verifies in ${((user + system) / 1_000 / rounds).toFixed(0)} ms of CPU, ${((performance.now() - started) / rounds).toFixed(0)} ms by the clock.`,
    );
  });
}

it('is tested against whenever a folder of recorded attestations is named', () => {
  expect(sample !== null).toBe(Boolean(process.env['ATTESTATION_SAMPLES']));
});
