import { generateKeyPairSync } from 'node:crypto';
import type { CheckId } from '@/lib/protocol/tee/check-list';
import { FAILURE_REASONS } from '@/lib/protocol/tee/verify-attestation';
import { parseCertificate } from '@/lib/protocol/tee/x509/certificate';
import { type EnclaveReport, SimulatedEnclave } from '../enclave';
import { type EnclaveKeys, generateEnclaveKeys } from '../enclave-keys';
import { issueRevocationList } from '../hardware/certificate-authority';
import { issueCollateral } from '../hardware/collateral';
import { NAMES } from '../hardware/platform-keys';
import { makeQuote, type TrustDomain } from '../hardware/quote';
import { measureBoot } from '../measured-boot';
import { reissue } from './reissue';

/** Invalid report, with the check that must fail and the specification's reason. */
interface Mutation {
  name: string;
  report: object;
  fails: CheckId;
  reason: string;
}

/** Honest report at a fixed time, variants that must pass, and reports for each class of fault. */
interface MutatedAttestation {
  nowMs: number;
  /** 64 hex characters. */
  nonce: string;
  root: Uint8Array;
  address: string;
  honest: { name: string; report: object }[];
  mutations: Mutation[];
}

const COMPOSE = '{"name": "guide"}';

const NOW_MS = Date.UTC(2026, 10, 1);
const NONCE = Buffer.alloc(32, 7);

/** Makes all reports. Node and browser tests call this function, so that they check the same reports. */
export function mutatedAttestation(): MutatedAttestation {
  const matter = new Matter();
  const { quote, platform, domain, honest } = matter;
  return {
    nowMs: NOW_MS,
    nonce: NONCE.toString('hex'),
    root: platform.certificates.root,
    address: honest.signing_address,
    honest: [
      { name: 'as it is', report: honest },
      {
        name: 'in base64, with zeros after it',
        report: { ...honest, intel_quote: Buffer.concat([quote, Buffer.alloc(70)]).toString('base64') },
      },
      ...(['5-td10', '5-td15'] as const).map((form) => ({
        name: `of form ${form}`,
        report: { ...honest, intel_quote: makeQuote(platform, domain, form).toString('hex') },
      })),
    ],
    mutations: [
      ...flippedBits(matter),
      ...otherQuotes(matter),
      ...signedAnew(matter),
      ...otherLists(matter),
      ...changedCharacters(matter),
      ...otherDocuments(matter),
      ...otherWorkloads(matter),
    ],
  };
}

class Matter {
  readonly keys = generateEnclaveKeys(NOW_MS);
  readonly platform = this.keys.platform;
  readonly honest = this.attest(this.keys);
  readonly quote = Buffer.from(this.honest.intel_quote, 'hex');
  readonly domain: TrustDomain = { ...measureBoot(COMPOSE), reportData: Buffer.from(this.quote.subarray(568, 632)) };

  attest(keys: EnclaveKeys, nonce: Uint8Array = NONCE): EnclaveReport {
    return new SimulatedEnclave(keys, COMPOSE).attest('e2ee-guide', nonce, NOW_MS);
  }

  change(
    name: string,
    change: Partial<Record<keyof EnclaveReport, unknown>>,
    fails: CheckId,
    reason: string = FAILURE_REASONS.VERIFICATION,
  ): Mutation {
    return { name, report: { ...this.honest, ...change }, fails, reason };
  }

  withQuote(name: string, bytes: Buffer, fails: CheckId, reason?: string): Mutation {
    return this.change(name, { intel_quote: bytes.toString('hex') }, fails, reason);
  }

  withCollateral(name: string, change: object, fails: CheckId): Mutation {
    return this.change(name, { collateral: { ...this.honest.collateral, ...change } }, fails);
  }
}

function flippedBits(matter: Matter): Mutation[] {
  const { quote } = matter;
  const parts: [string, number, CheckId][] = [
    ['version', 0, 'quote-format'],
    ['vendor', 20, 'quote-format'],
    ['user data', 40, 'quote-signature'],
    ['attributes', 169, 'quote-signature'],
    ['firmware', 200, 'quote-signature'],
    ['registers', 400, 'quote-signature'],
    ['report data', 630, 'quote-signature'],
    ['length', 632, 'quote-format'],
    ['signature', 640, 'quote-signature'],
    ['attestation key', 710, 'quoting-enclave'],
    ['report of the quoting enclave', 800, 'quoting-enclave'],
    ['signature of that report', 1_160, 'quoting-enclave'],
    ['auth data', 1_230, 'quoting-enclave'],
    ['certificates', quote.indexOf('-----BEGIN'), 'quote-format'],
  ];
  return parts.map(([part, index, fails]) =>
    matter.withQuote(
      `a flipped bit in the ${part} of the quote`,
      Buffer.from(quote.map((byte, each) => (each === index ? byte ^ 1 : byte))),
      fails,
    ),
  );
}

function otherQuotes(matter: Matter): Mutation[] {
  const { quote, keys } = matter;
  const quoteOf = (report: EnclaveReport) => ({ intel_quote: report.intel_quote });
  return [
    matter.withQuote('another byte than zero after the quote', Buffer.concat([quote, Buffer.of(0, 1)]), 'quote-format'),
    matter.withQuote('a quote that was cut', quote.subarray(0, -1), 'quote-format'),
    matter.change(
      'a quote of another nonce',
      quoteOf(matter.attest(keys, Buffer.alloc(32, 8))),
      'nonce',
      FAILURE_REASONS.NONCE,
    ),
    matter.change(
      'a report that names another nonce',
      { request_nonce: '08'.repeat(32) },
      'nonce',
      FAILURE_REASONS.NONCE,
    ),
    matter.change(
      'a quote of another key',
      quoteOf(matter.attest({ ...keys, signingSecret: new Uint8Array(32).fill(3) })),
      'signing-key',
    ),
    matter.change('a report of another model', { model: 'tee-guide' }, 'model'),
    matter.change(
      'the quote of another install',
      quoteOf(matter.attest({ ...keys, platform: generateEnclaveKeys(NOW_MS).platform })),
      'certificate-chain',
    ),
  ];
}

function signedAnew(matter: Matter): Mutation[] {
  const { platform, domain, quote } = matter;
  const debug = { ...domain, attributes: Buffer.from('0100001000000000', 'hex') };
  const forger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  // Puts the forger's signature and key before the genuine report of the quoting enclave.
  const forged = Buffer.concat([
    makeQuote(platform, domain, '4', { attestation: forger }).subarray(0, 764),
    quote.subarray(764),
  ]);
  return [
    ...(['4', '5-td10', '5-td15'] as const).map((form) =>
      matter.withQuote(
        `debug, signed anew, of form ${form}`,
        makeQuote(platform, debug, form),
        'debug-off',
        FAILURE_REASONS.DEBUG,
      ),
    ),
    matter.withQuote(
      'a domain that may be moved',
      makeQuote(platform, { ...domain, mrServiceTd: Buffer.alloc(48, 1) }, '5-td15'),
      'debug-off',
    ),
    matter.withQuote('a quote signed anew by a key that no processor vouches for', forged, 'quoting-enclave'),
    matter.withQuote(
      'an expired processor',
      makeQuote(reissue(platform, 'processor', { notAfterMs: NOW_MS - 1_000 }), domain),
      'certificate-validity',
    ),
    matter.withQuote(
      'an authority that is none',
      makeQuote(reissue(platform, 'platformAuthority', { pathLength: null }), domain),
      'certificate-chain',
    ),
  ];
}

function otherLists(matter: Matter): Mutation[] {
  const { platform, honest } = matter;
  const list = (
    issuer: 'root' | 'platformAuthority',
    change: Partial<Parameters<typeof issueRevocationList>[0]> = {},
  ) =>
    issueRevocationList({
      issuer: { name: NAMES[issuer], privateKey: platform.privateKeys[issuer] },
      thisUpdateMs: NOW_MS - 1_000,
      nextUpdateMs: NOW_MS + 1_000,
      ...change,
    }).toString('hex');
  const { root_ca_crl: rootList, pck_crl: processorList } = honest.collateral;
  return [
    matter.withCollateral(
      'a revocation list that is not signed',
      { pck_crl: processorList.slice(0, -64) + '0'.repeat(64) },
      'revocation',
    ),
    matter.withCollateral(
      'a revocation list that another signed',
      { root_ca_crl: list('root', { issuer: { name: NAMES.root, privateKey: platform.privateKeys.documentSigner } }) },
      'revocation',
    ),
    matter.withCollateral(
      'a stale revocation list',
      { pck_crl: list('platformAuthority', { nextUpdateMs: NOW_MS - 1 }) },
      'revocation',
    ),
    matter.withCollateral('the lists exchanged', { pck_crl: rootList, root_ca_crl: processorList }, 'revocation'),
    matter.withCollateral(
      'a revoked authority',
      { root_ca_crl: list('root', { revoked: [parseCertificate(platform.certificates.platformAuthority).serial] }) },
      'revocation',
    ),
  ];
}

const CHECK_BY_FIELD: Readonly<Record<keyof EnclaveReport['collateral'], CheckId>> = {
  tcb_info: 'tcb-info',
  tcb_info_signature: 'tcb-info',
  tcb_info_issuer_chain: 'tcb-info',
  qe_identity: 'qe-identity',
  qe_identity_signature: 'qe-identity',
  qe_identity_issuer_chain: 'qe-identity',
  root_ca_crl: 'revocation',
  pck_crl: 'revocation',
  pck_crl_issuer_chain: 'revocation',
};

function changedCharacters(matter: Matter): Mutation[] {
  return (Object.entries(CHECK_BY_FIELD) as [keyof EnclaveReport['collateral'], CheckId][]).flatMap(
    ([field, fails]) => {
      const text = matter.honest.collateral[field];
      const at = text.length - 60;
      const touched = text.slice(0, at) + (text[at] === '7' ? '8' : '7') + text.slice(at + 1);
      return [
        matter.withCollateral(`a changed character in ${field}`, { [field]: touched }, fails),
        matter.withCollateral(`no ${field}`, { [field]: undefined }, fails),
      ];
    },
  );
}

function otherDocuments(matter: Matter): Mutation[] {
  const { platform } = matter;
  const level = (isvsvn: number, tcbStatus: string) => ({
    tcb: { isvsvn },
    tcbDate: '2026-01-01T00:00:00Z',
    tcbStatus,
  });
  const foreign = {
    id: 'TDX_01',
    mrsigner: '01'.repeat(48),
    attributes: '00'.repeat(8),
    attributesMask: 'FF'.repeat(8),
    tcbLevels: [level(4, 'UpToDate')],
  };
  return [
    matter.withCollateral(
      'a TDX module that another signed',
      issueCollateral(platform, NOW_MS, { tcbInfo: { tdxModuleIdentities: [foreign] } }),
      'tdx-module',
    ),
    matter.withCollateral(
      'a quoting enclave that is out of date',
      issueCollateral(platform, NOW_MS, { qeIdentity: { tcbLevels: [level(1, 'OutOfDate')] } }),
      'tcb-status',
    ),
    matter.withCollateral(
      'stale TCB info',
      issueCollateral(platform, NOW_MS, { tcbInfo: { nextUpdate: '2026-10-30T00:00:00Z' } }),
      'tcb-info',
    ),
  ];
}

function otherWorkloads(matter: Matter): Mutation[] {
  const log = matter.honest.event_log;
  return [
    matter.change('an event log that was cut', { event_log: log.slice(0, -1) }, 'event-log'),
    matter.change(
      'events in another order',
      { event_log: [...log.slice(0, 4), ...log.slice(4).reverse()] },
      'event-log',
    ),
    matter.change('another compose file', { info: { tcb_info: { app_compose: '{"name": "other"}' } } }, 'compose-file'),
  ];
}
