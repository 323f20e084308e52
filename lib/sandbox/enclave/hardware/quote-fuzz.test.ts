import { describe, expect, it, vi } from 'vitest';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { parseQuote, QUOTE_BYTES_MAX, quoteFromText } from '@/lib/protocol/tee/quote/quote';
import { parseCertificate } from '@/lib/protocol/tee/x509/certificate';
import { parseDevicePem, parsePemCertificates } from '@/lib/protocol/tee/x509/pem';
import { parseRevocationList } from '@/lib/protocol/tee/x509/revocation-list';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { measureBoot } from '../measured-boot';
import { issueRevocationList, pemOf } from './certificate-authority';
import { generatePlatformKeys, NAMES } from './platform-keys';
import { makeQuote } from './quote';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 10, 1);
const keys = generatePlatformKeys(nowMs);
const domain = { ...measureBoot('{}'), reportData: Buffer.alloc(64) };
const list = issueRevocationList({
  issuer: { name: NAMES.root, privateKey: keys.privateKeys.root },
  thisUpdateMs: nowMs,
  nextUpdateMs: nowMs + 1,
  revoked: ['0102', '03'],
});

/** Runs a parser on changed, cut, repeated and random bytes. The parser may throw only `Malformed`. */
function fuzz(parse: (bytes: Uint8Array) => unknown, honest: Buffer, rounds: number, seed: number): number {
  const random = new SeededRandom(seed);
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    const bytes = mutate(honest, random);
    try {
      parse(bytes);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      refused += 1;
    }
  }
  return refused;
}

function mutate(honest: Buffer, random: SeededRandom): Buffer {
  const bytes = Buffer.from(honest);
  const at = random.integer(0, bytes.length - 1);
  switch (random.integer(0, 4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes, bytes.subarray(at)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xff, 0xff, 0xff]), bytes.subarray(at + 4)]);
    case 3:
      return Buffer.from(Array.from({ length: at }, () => random.integer(0, 255)));
    default:
      for (let changes = random.integer(1, 6); changes > 0; changes--)
        bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      return bytes;
  }
}

describe('parsers, whatever the bytes', () => {
  it('of quotes throw nothing but that it is malformed', () => {
    for (const form of ['4', '5-td10', '5-td15'] as const)
      expect(fuzz(parseQuote, makeQuote(keys, domain, form), 300, form.length)).toBeGreaterThan(100);
  });

  it('of certificates and revocation lists throw nothing but that they are malformed', () => {
    for (const der of Object.values(keys.certificates))
      expect(fuzz(parseCertificate, der, 400, der.length)).toBeGreaterThan(200);
    expect(fuzz(parseRevocationList, list, 400, 9)).toBeGreaterThan(200);
  });

  it('of PEM and of quotes in text throw nothing but that they are malformed', () => {
    const pem = Buffer.from(pemOf(keys.certificates.processor) + pemOf(keys.certificates.root));
    expect(fuzz((bytes) => parsePemCertificates(Buffer.from(bytes).toString('latin1')), pem, 300, 10)).toBeGreaterThan(
      200,
    );
    const text = Buffer.from(makeQuote(keys, domain).toString('base64'));
    expect(fuzz((bytes) => quoteFromText(Buffer.from(bytes).toString('latin1')), text, 200, 11)).toBeGreaterThan(50);
  });

  it('refuse enormous input at once', () => {
    expect(() => parseQuote(new Uint8Array(QUOTE_BYTES_MAX + 1))).toThrow(Malformed);
    expect(() => quoteFromText('a'.repeat(300_000))).toThrow(Malformed);
    expect(() => parsePemCertificates('-----BEGIN CERTIFICATE-----\n'.repeat(5_000))).toThrow(Malformed);
    expect(() => parsePemCertificates(pemOf(keys.certificates.root).repeat(5))).toThrow(Malformed);
  });

  it('refuse DER that is not in its shortest form', () => {
    const der = keys.certificates.root;
    const length = der.readUInt16BE(2);
    expect(() =>
      parseCertificate(Buffer.concat([Buffer.from([0x30, 0x83, 0, length >> 8, length & 0xff]), der.subarray(4)])),
    ).toThrow(Malformed);
    expect(() =>
      parseCertificate(Buffer.concat([Buffer.from([0x30, 0x80]), der.subarray(4), Buffer.from([0, 0])])),
    ).toThrow(Malformed);
  });

  it('take NUL bytes after a chain from a device, and nothing else after or within it', () => {
    const chain = Buffer.from(pemOf(keys.certificates.processor) + pemOf(keys.certificates.root));
    for (const count of [0, 1, 5, 40_000])
      expect(parseDevicePem(Buffer.concat([chain, Buffer.alloc(count)]))).toHaveLength(2);
    for (const junk of ['\0 ', '\0\n', ' ', '\0text', '\xff', '\0\xff', '\x01'])
      expect(() => parseDevicePem(Buffer.concat([chain, Buffer.from(junk, 'latin1')])), JSON.stringify(junk)).toThrow(
        Malformed,
      );
    expect(() => parseDevicePem(Buffer.concat([Buffer.alloc(1), chain]))).toThrow(Malformed);
    expect(() => parseDevicePem(Buffer.alloc(200_000, 0x41))).toThrow(Malformed);
  });

  it('refuse PEM with anything between the certificates, or base64 in another form', () => {
    const [one, two] = [pemOf(keys.certificates.processor), pemOf(keys.certificates.root)];
    expect(parsePemCertificates(one + two)).toHaveLength(2);
    expect(parsePemCertificates((one + two).replaceAll('\n', '\r\n'))).toHaveLength(2);
    for (const text of [
      `${one}\n${two}`,
      ` ${one}`,
      `${one}text\n${two}`,
      one.replace('\n', '\v'),
      one.replace('CERTIFICATE', 'PUBLIC KEY'),
      `${one}\0`,
    ])
      expect(() => parsePemCertificates(text)).toThrow(Malformed);
  });
});
